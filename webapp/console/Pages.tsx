/** Links to the pages of a long list. */

interface Props {
  page: number;
  pages: number;
  all: number;
  noun: string;
  address: (page: number) => string;
}

export function Pages({ page, pages, all, noun, address }: Props) {
  const places: readonly (readonly [string, number])[] = [
    ["First", 1],
    ["Previous", page - 1],
    ["Next", page + 1],
    ["Last", pages],
  ];
  return (
    <nav className="pages" aria-label={`Pages of ${noun}`}>
      <span role="status">
        {all.toLocaleString("en")} {noun}
        {pages > 1 && `, page ${page} of ${pages}`}
      </span>
      {places
        .filter(([, place]) => place !== page && place >= 1 && place <= pages)
        .map(([word, place]) => (
          <a key={word} href={address(place)}>
            {word}
          </a>
        ))}
    </nav>
  );
}
