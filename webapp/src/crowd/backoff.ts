/** Waiting times between tries: doubled from `first` to `longest` milliseconds, spread so that pages do not return in step. */
export class Backoff {
  private tries = 0;

  constructor(
    private readonly first = 500,
    private readonly longest = 10_000,
    private readonly random: () => number = Math.random,
  ) {}

  next(): number {
    const wait = Math.min(this.longest, this.first * 2 ** this.tries);
    this.tries += 1;
    return wait * (0.75 + this.random() / 2);
  }

  reset(): void {
    this.tries = 0;
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
