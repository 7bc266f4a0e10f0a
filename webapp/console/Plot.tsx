/** A drawing of uPlot in the palette's colours. It is drawn anew for other data, another width, another scheme. */

import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./plot.css";

export interface Drawing {
  options: Omit<uPlot.Options, "width" | "height">;
  data: uPlot.AlignedData;
}

const HEIGHT = 240;
const FAINT = "2b"; // of 255, behind six hexadecimal digits
const DARK = matchMedia("(prefers-color-scheme: dark)");

/** The colour of a name in the palette; `isFaint` for areas behind lines. */
export type Colour = (name: string, isFaint?: boolean) => string;

interface Props {
  label: string;
  /** The same as long as it draws the same. */
  plot: (colour: Colour) => Drawing;
}

export function Plot({ label, plot }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [isDark, setIsDark] = useState(DARK.matches);
  useEffect(() => {
    const change = () => setIsDark(DARK.matches);
    DARK.addEventListener("change", change);
    return () => DARK.removeEventListener("change", change);
  }, []);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (width === 0) {
      return;
    }
    const { options, data } = plot(colourNamed);
    const drawn = new uPlot({ ...options, width, height: HEIGHT }, data, place.current!);
    return () => drawn.destroy();
  }, [plot, width, isDark]);
  return <div ref={place} className="plot" role="img" aria-label={label} />;
}

/** As a canvas takes it, in the scheme of the moment. */
function colourNamed(name: string, isFaint = false): string {
  const colour = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  return isFaint ? `${colour}${FAINT}` : colour;
}
