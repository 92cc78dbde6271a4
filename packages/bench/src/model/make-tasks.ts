import { randomUUID } from 'node:crypto'
import type { Tasks } from './commands.ts'
import { MINUTE, type Task } from './rules.ts'

/** The tasks of a job. Adds those with a new id to `earlier`. */
export function makeTasks(
  wanted: readonly Tasks[],
  earlier: Task[],
  now: number,
  step: number,
  applicationOf: (n: number) => string,
): Task[] {
  return wanted.flatMap(({ user, application, steps, minutes, count, again, changed }) => {
    const made = { application: applicationOf(application), user: `user-${user}`, at: now - steps * step + minutes * MINUTE }
    const known = again === null ? undefined : earlier[again % Math.max(1, earlier.length)]
    if (known !== undefined) return [changed ? { ...made, id: known.id } : known]
    const tasks = Array.from({ length: count }, () => ({ ...made, id: randomUUID() }))
    earlier.push(...tasks)
    return tasks
  })
}
