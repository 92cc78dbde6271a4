import { WORDS } from '../text/words.ts'

/** A row of the calls log, as far as the timeline shows it. `bodies` says whether request and response were kept. */
export type TimelineCall = {
  readonly outcome: 'answered' | 'app_error' | 'no_answer' | 'unreachable' | 'unknown' | 'refused'
  readonly network_code: number | null
  readonly started_at: string
  readonly duration_ms: number | null
  readonly connected_account_id: number | null
  readonly internal?: boolean | undefined
}

/** The task of the call, as insights has it; undefined while it loads. */
export type TimelineTask =
  | { readonly counted: boolean; readonly occurred_at: string | null; readonly quarantined: string | null }
  | undefined

type TimelineAccount = { readonly id: number; readonly name: string | null } | undefined

/** A webhook that was created right after the task of the call was counted. */
type TimelineNotice = { readonly event_name: string; readonly at: string }

/** One step of a call. `at` is null for a step whose time is not stored: no time is made up for it. */
export type TimelineItem = {
  readonly id: string
  readonly title: string
  readonly state: 'done' | 'failed' | 'waiting' | 'skipped' | 'unknown'
  readonly at: string | null
  /** Time that the step took, in milliseconds. */
  readonly tookMs: number | null
  readonly note: string | undefined
  /** On a failed step: who has to act. */
  readonly whose: keyof typeof WORDS.timeline.whose | undefined
}

type Rest = Partial<Omit<TimelineItem, 'id' | 'title'>>

const TITLE = WORDS.timeline

/** Returns the steps of a call: first what failed, then the others in their order. */
export function timelineOf(
  call: TimelineCall,
  task: TimelineTask,
  account: TimelineAccount,
  notices: readonly TimelineNotice[] = [],
): readonly TimelineItem[] {
  const started = call.started_at
  const ended = call.duration_ms === null ? null : new Date(new Date(started).getTime() + call.duration_ms).toISOString()
  const accountId = call.connected_account_id
  const items = [
    item('checked', TITLE.checked, { note: accountId === null ? TITLE.noAccount : TITLE.account(account?.name ?? `#${accountId}`) }),
    ...exchange(call, started, ended),
    item('recorded', TITLE.recorded, { state: call.outcome === 'unknown' ? 'unknown' : 'done', at: ended }),
    counting(call, task),
    ...notices.map(({ event_name, at }) => item(`notice-${event_name}`, TITLE.notice(event_name), { at })),
  ]
  return [...items.filter(isFailed), ...items.filter((each) => !isFailed(each))]
}

function isFailed({ state }: TimelineItem): boolean {
  return state === 'failed'
}

/** The onward call and its result. */
function exchange({ outcome, network_code, duration_ms }: TimelineCall, started: string, ended: string | null): TimelineItem[] {
  const sent = item('sent', TITLE.sent, { at: started })
  const status = network_code === null ? undefined : `HTTP ${network_code}`
  switch (outcome) {
    case 'answered': {
      const refused = network_code !== null && network_code >= 400
      const whose = network_code !== null && network_code >= 500 ? 'app' : network_code === 401 || network_code === 403 ? 'account' : 'user'
      const end = item('ended', refused ? TITLE.app_error : TITLE.answered, {
        state: refused ? 'failed' : 'done',
        at: ended,
        tookMs: duration_ms,
        note: status,
        whose: refused ? whose : undefined,
      })
      return [sent, end]
    }
    case 'app_error':
      return [
        sent,
        item('ended', TITLE.app_error, { state: 'failed', at: ended, tookMs: duration_ms, note: TITLE.appErrorNote, whose: 'app' }),
      ]
    case 'no_answer':
      return [
        sent,
        item('ended', TITLE.no_answer, { state: 'failed', at: ended, tookMs: duration_ms, note: TITLE.noResponseNote, whose: 'app' }),
      ]
    case 'unreachable':
      return [
        item('ended', TITLE.unreachable, { state: 'failed', at: ended, tookMs: duration_ms, note: TITLE.unreachableNote, whose: 'app' }),
      ]
    case 'refused':
      return []
    case 'unknown':
      return [item('ended', TITLE.unknown, { state: 'unknown', at: started, note: TITLE.unknownNote, whose: 'onward' })]
  }
}

function counting({ internal, outcome }: TimelineCall, task: TimelineTask): TimelineItem {
  if (internal === true) return item('counted', TITLE.notATask, { state: 'skipped', note: TITLE.internalNote })
  if (outcome === 'unreachable') return item('counted', TITLE.notATask, { state: 'skipped', note: TITLE.notExecutedNote })
  if (task === undefined) return item('counted', TITLE.asked, { state: 'waiting' })
  if (task.quarantined !== null) {
    return item('counted', TITLE.quarantined, { state: 'failed', at: task.occurred_at, note: task.quarantined, whose: 'onward' })
  }
  if (task.counted) return item('counted', TITLE.counted, { at: task.occurred_at })
  return item('counted', TITLE.notYetCounted, { state: 'waiting', note: TITLE.notYetCountedNote })
}

function item(id: string, title: string, rest: Rest = {}): TimelineItem {
  return { id, title, state: 'done', at: null, tookMs: null, note: undefined, whose: undefined, ...rest }
}
