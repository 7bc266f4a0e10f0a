/** Small line drawings that stand beside a word, never instead of one. */

const PATHS = {
  win: "M8 4h8v5a4 4 0 0 1-8 0zM8 5H5v2a3 3 0 0 0 3 3m8-5h3v2a3 3 0 0 1-3 3m-4 3v4m-4 3h8",
  loss: "M9 4h6v3H9zM12 7v2M6 9h12a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM9 14v1m6-1v1",
  back: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  flag: "M6 21V4m0 1h11l-2.5 4L17 13H6",
  warning: "M12 4 2.8 20h18.4zM12 10v4m0 3v.01",
  good: "m5 12.5 4.5 4.5L19 7.5",
  bad: "m6 6 12 12M18 6 6 18",
  clock: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zm0 4v4l3 2",
  guide: "M12 6.5C10.5 5 8 4.5 4 4.5v13c4 0 6.5.5 8 2 1.5-1.5 4-2 8-2v-13c-4 0-6.5.5-8 2zm0 0v13",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  open: "M8.5 8.5a3.5 3.5 0 1 1 5.4 3c-1.2.8-1.9 1.5-1.9 3M12 18.5v.01",
  bell: "M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4",
  play: "M8 5.5v13l10.5-6.5z",
  pause: "M8.5 5.5v13M15.5 5.5v13",
  keyboard:
    "M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zm3 4v.01M11 10v.01M15 10v.01M8 14h8",
} as const;

export type IconName = keyof typeof PATHS;

const ALONG_TEXT: ReadonlySet<IconName> = new Set(["back", "open", "play"]);

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={ALONG_TEXT.has(name) ? "icon along-text" : "icon"} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
