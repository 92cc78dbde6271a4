import { Chrono } from 'chrono-node'
import { DATES, FORWARD } from './arguments/find/datetimes.ts'
import type { Fillable } from './arguments/types.ts'
import type { Steps } from './in-slices.ts'
import { predictArguments } from './predict-arguments.ts'

const SAMPLE: Fillable = {
  check: () => [],
  properties: {
    title: { type: 'string' },
    email: { type: 'string' },
    phone: { type: 'string' },
    currency: { type: 'string' },
    due_date: { type: 'string', format: 'date-time' },
    count: { type: 'integer' },
    labels: { type: 'array', items: { type: 'string' } },
  },
  required: ['title'],
  about: 'Create a task',
}

const PROMPT =
  'Create a task titled Sales for Ada Lovelace on June 3, 2027 at 5pm, or in 2 days and 3 hours, 5 minutes ago, next Friday, Mon 9:00 to ' +
  '10:00, 2027-01-02T03:04Z, 1/2/27, Jan-Feb, 3rd of May. Send $20 or 5 % to bob@example.com about "x" in acme/web, id a1b2, for {name} ' +
  'in France, see https://example.com/a, call +1 202 555 0143 or (202) 555-0199, twenty euros, 12 Main St, Springfield, IL 62701. '

/**
 * Predicts arguments from long prompts, so that the patterns of all finders are compiled. Otherwise, the first long prompt of a process
 * would block the event loop. Patterns are compiled twice: for texts with and without characters beyond Latin-1.
 */
export function* warmUp(): Steps<void> {
  for (const last of ['.', '…']) {
    // The library runs all of its parsers at once. Compiling their patterns one after the other blocks the event loop only briefly.
    for (const parser of DATES.parsers) {
      // The first use of a pattern interprets it, and the second one compiles it.
      for (let use = 1; use <= 2; use++) {
        new Chrono({ parsers: [parser], refiners: [] }).parse(PROMPT + last, undefined, FORWARD)
        yield
      }
    }
    const prompt = PROMPT.repeat(10) + last
    yield* predictArguments(SAMPLE, { prompt, variables: { name: 'Ada' }, now: new Date(), timeZone: 'UTC' }, {})
  }
}
