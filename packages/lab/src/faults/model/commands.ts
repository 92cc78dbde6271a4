import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { DAY, MINUTE, type Task } from './model.ts'

/** Tasks of one user at one time. `again` repeats the id of an earlier task, with its content or, when `changed`, with other content. */
export type Tasks = {
  readonly user: number
  readonly application: number
  /** When the tasks occurred: this many steps of six hours before now, plus this many minutes. */
  readonly steps: number
  readonly minutes: number
  readonly count: number
  readonly again: number | null
  readonly changed: boolean
}

/** `crashAt` n: when the n-th row is written, the connection breaks, and the caller retries. 0: it does not break. */
export type Command = { readonly crashAt: number } & (
  | { readonly kind: 'consume'; readonly tasks: readonly Tasks[]; readonly late: boolean }
  | { readonly kind: 'deliver'; readonly job: number; readonly reversed: boolean }
  | { readonly kind: 'limits'; readonly application: number; readonly limits: readonly { readonly user: number; readonly limit: number }[] }
  | { readonly kind: 'bulk' | 'default'; readonly limit: number }
  /** Time passes. `worked`: all pending background work is done before. */
  | { readonly kind: 'pass'; readonly steps: number; readonly worked: boolean }
  | { readonly kind: 'subscribe'; readonly levels: readonly number[] }
  | { readonly kind: 'unsubscribe'; readonly subscription: number }
  | { readonly kind: 'provision'; readonly application: number; readonly days: number | null }
  /** Does all pending background work, or compares all statuses with the model. */
  | { readonly kind: 'background' | 'compare' }
)

const STEPS_A_DAY = 4
/** The model's time moves in steps of six hours. */
export const STEP = DAY / STEPS_A_DAY

const user = fc.nat(2)
const application = fc.integer({ min: 0, max: 1 })
const limit = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 1, arbitrary: fc.constantFrom(100, 2 ** 53 - 1) },
)
const any = fc.nat(63)
const crashAt = fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }) })

const tasks: fc.Arbitrary<Tasks> = fc.record({
  user,
  application,
  steps: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.nat(12) },
    { weight: 1, arbitrary: fc.nat(36 * STEPS_A_DAY) },
  ),
  minutes: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-4, -6, 3, 9) }),
  count: fc.integer({ min: 1, max: 5 }),
  again: fc.option(any, { freq: 5 }),
  changed: fc.boolean(),
})

const kinds = {
  consume: fc.record({
    kind: fc.constant('consume' as const),
    tasks: fc.array(tasks, { minLength: 1, maxLength: 5 }),
    late: fc.nat(5).map((n) => n === 5),
  }),
  deliver: fc.record({ kind: fc.constant('deliver' as const), job: any, reversed: fc.boolean() }),
  limits: fc.record({
    kind: fc.constant('limits' as const),
    application,
    limits: fc.uniqueArray(fc.record({ user, limit }), { minLength: 1, maxLength: 3, selector: (each) => each.user }),
  }),
  bulk: fc.record({ kind: fc.constant('bulk' as const), limit }),
  default: fc.record({ kind: fc.constant('default' as const), limit }),
  pass: fc.record({ kind: fc.constant('pass' as const), steps: fc.integer({ min: 1, max: 40 }), worked: fc.boolean() }),
  subscribe: fc.record({
    kind: fc.constant('subscribe' as const),
    levels: fc.uniqueArray(fc.constantFrom(80, 100, 50, 1, 79), { minLength: 1, maxLength: 3 }),
  }),
  unsubscribe: fc.record({ kind: fc.constant('unsubscribe' as const), subscription: any }),
  provision: fc.record({ kind: fc.constant('provision' as const), application, days: fc.option(fc.constantFrom(1, 2, 7, 30)) }),
  background: fc.record({ kind: fc.constant('background' as const) }),
  compare: fc.record({ kind: fc.constant('compare' as const) }),
}

const WEIGHTS: Record<keyof typeof kinds, number> = {
  consume: 10,
  deliver: 3,
  limits: 5,
  bulk: 5,
  default: 1,
  pass: 2,
  subscribe: 1,
  unsubscribe: 1,
  provision: 1,
  background: 1,
  compare: 1,
}

const command: fc.Arbitrary<Command> = fc
  .tuple(
    crashAt,
    fc.oneof(
      ...Object.entries(kinds).map(([kind, arbitrary]) => ({
        weight: WEIGHTS[kind as keyof typeof kinds],
        arbitrary: arbitrary as fc.Arbitrary<Command>,
      })),
    ),
  )
  .map(([n, made]) => ({ ...made, crashAt: n }))

/** Every run begins with an application of the workspace and a subscription. */
const BEGINNING: readonly Command[] = [
  { crashAt: 0, kind: 'provision', application: 0, days: null },
  { crashAt: 0, kind: 'subscribe', levels: [50, 80, 100] },
]

/** The commands of one run, in order. */
export const commands: fc.Arbitrary<Command[]> = fc
  .array(command, { minLength: 1, maxLength: 20, size: 'max' })
  .map((made) => [...BEGINNING, ...made])

/** Returns the tasks of a job. Adds those with a new id to `earlier`. */
export function makeTasks(wanted: readonly Tasks[], earlier: Task[], now: number, applicationOf: (n: number) => string): Task[] {
  return wanted.flatMap(({ user, application: nth, steps, minutes, count, again, changed }) => {
    const made = { application: applicationOf(nth), user: `user-${user}`, at: now - steps * STEP + minutes * MINUTE }
    const known = again === null ? undefined : earlier[again % Math.max(1, earlier.length)]
    if (known !== undefined) return [changed ? { ...made, id: known.id } : known]
    const fresh = Array.from({ length: count }, () => ({ ...made, id: randomUUID() }))
    earlier.push(...fresh)
    return fresh
  })
}
