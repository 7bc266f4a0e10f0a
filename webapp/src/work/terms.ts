import { countIn } from "./money";

/**
 * What a page reads of `task_config.json`, with `defaults` for what the configuration leaves out. The unit of amounts is
 * that of the page from then on.
 */
export function termsOf<Terms extends object>(config: Readonly<Record<string, unknown>>, defaults: Terms): Terms {
  countIn(config.unit);
  const names = Object.keys(defaults).filter((name) => config[name] !== undefined && config[name] !== null);
  return { ...defaults, ...Object.fromEntries(names.map((name) => [name, config[name]])) };
}
