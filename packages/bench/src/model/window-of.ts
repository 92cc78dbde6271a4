import { DAY, type Length, MINUTE, type Model, type User, type Window } from './rules.ts'

/**
 * The window that a time lies in, walked to from the anchor, window by window. A task up to five minutes before the anchor belongs to
 * the window that the anchor begins; earlier ones lie in windows before it. A new length begins when the window ends in which it was set.
 */
export function windowOf(anchor: number, lengths: readonly Length[], at: number): Window {
  const time = at < anchor && at >= anchor - 5 * MINUTE ? anchor : at
  let length = newest(lengths, (from) => from <= anchor)
  let startsAt = anchor
  while (time < startsAt) startsAt -= length
  for (;;) {
    const endsAt = startsAt + length
    if (time < endsAt) return { startsAt, endsAt }
    if (endsAt > anchor) length = newest(lengths, (from) => from < endsAt)
    startsAt = endsAt
  }
}

/** The window that limits and answers are about: the one of now, or the first one should it lie a little ahead. */
export function currentWindow(model: Model, { anchor, application }: User): Window | undefined {
  return anchor === null ? undefined : windowOf(anchor, application.lengths, Math.max(anchor, model.now))
}

/** The windows with tasks that are current or lie ahead, for tasks may be up to five minutes ahead. */
export function windowsSince(model: Model, { anchor, application, tasks }: User): Window[] {
  if (anchor === null) return []
  const windows = tasks.map((at) => windowOf(anchor, application.lengths, at)).filter(({ endsAt }) => endsAt > Math.max(anchor, model.now))
  return [...new Map(windows.map((window) => [window.startsAt, window])).values()]
}

export function consumedIn(user: User, { startsAt }: Window): number {
  const { anchor, application, tasks } = user
  return anchor === null ? 0 : tasks.filter((at) => windowOf(anchor, application.lengths, at).startsAt === startsAt).length
}

function newest(lengths: readonly Length[], holds: (from: number) => boolean): number {
  const days = lengths.filter(({ from }) => from === null || holds(from)).at(-1)?.days
  if (days === undefined) throw new Error('the model has an application without a length')
  return days * DAY
}
