/**
 * Errors that no handler of a page has caught: counted for the note that shows them, told to whoever must take something
 * back, reported to the server. Errors of other scripts (of browser extensions, say) are none of the page's.
 */

type Report = (text: string) => void;

/** The part of `window` that errors come from. */
type Source = Pick<Window, "addEventListener">;

const MOST_REPORTED = 10;
const MOST_CHARS = 2000;

export class Faults {
  private count = 0;
  private readonly listeners = new Set<() => void>();
  private readonly texts: string[] = [];
  private reported = 0;
  private report: Report | null = null;

  constructor(private readonly origin: string) {}

  watch(source: Source): void {
    source.addEventListener("error", ({ error }) => this.add(error));
    source.addEventListener("unhandledrejection", ({ reason }) => this.add(reason));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly seen = (): number => this.count;

  /** Called with each one; those from before come at once. */
  reportTo(report: Report): void {
    this.report = report;
    this.send();
  }

  /** An error that is shown elsewhere, and is only reported. */
  keep(error: unknown): void {
    if (error instanceof Error && error.stack?.includes(this.origin) && this.texts.length < MOST_REPORTED) {
      this.texts.push(`${error.message}\n${error.stack}`.slice(0, MOST_CHARS));
      this.send();
    }
  }

  private add(error: unknown): void {
    if (error instanceof Error && error.stack?.includes(this.origin)) {
      this.count += 1;
      this.keep(error);
      for (const listener of this.listeners) {
        listener();
      }
    }
  }

  private send(): void {
    while (this.report !== null && this.reported < this.texts.length) {
      this.report(this.texts[this.reported++]!);
    }
  }
}

/** Those of the page at hand. */
export const FAULTS = new Faults(globalThis.location?.origin ?? "");

/** Posts reports to a server that takes them at `path`. What does not arrive is given up. */
export function reportToServer(path: string): void {
  FAULTS.reportTo((text) => postReport(path, { text }));
}

export function postReport(path: string, content: object): void {
  const headers = { "Content-Type": "application/json" };
  fetch(path, { method: "POST", headers, body: JSON.stringify(content), keepalive: true }).catch(() => undefined);
}
