import type { ReactNode } from 'react'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import type { Entry } from './entry.ts'
import { outcomeOf } from './entry-subject.ts'
import { ACTIONS, WORDS } from './words.ts'

const { audit: words } = WORDS

/** What the reader sees for the action of an entry. */
export function actionName({ action }: Entry): string {
  return ACTIONS[action] ?? action
}

const TONES: Readonly<Record<ReturnType<typeof outcomeOf>, BadgeTone>> = {
  done: 'good',
  refused: 'warn',
  failed: 'bad',
  denied: 'bad',
  asked: 'warn',
  started: 'neutral',
}

export function Outcome({ entry }: { entry: Entry }): ReactNode {
  const outcome = outcomeOf(entry)
  return <Badge tone={TONES[outcome]} text={words.outcomes[outcome]} />
}

/** What a change is about, without the workspace, which is the same in all rows. */
export function targetOf({ target }: Entry): readonly (readonly [name: string, value: string])[] {
  return Object.entries(target).filter(([name]) => name !== 'workspace_id')
}
