import type { ParsedResult } from 'chrono-node'

/**
 * A zone behind a time, in capital letters: in small ones "at 7 pm art museum" would name Argentina's. Those that are words as well are
 * left out, as prompts have those in capitals, too.
 */
const ZONE =
  /(?:\d|[AaPp]\.?[Mm]\.?|[Nn]oon|[Mm]idnight)[\s,(]*(?:Z\b|[ECMP]T\b|(?!(?:ART|BOT|CAST|CAT|COT|EAST|EAT|GET|HAT|HAY|MART|PET|WEST|WET)\b)[A-Z]{3,5}\b|[+-]\d\d:?\d\d\b)/
/** How many minutes ahead of UTC the zone is that a text names, of a range for both its ends; undefined where it names none. */
export function statedOffset({ text, start }: ParsedResult): number | undefined {
  if (!start.isCertain('timezoneOffset') || !ZONE.test(text)) return undefined
  return start.get('timezoneOffset') ?? undefined
}
