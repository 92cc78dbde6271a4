import type { ReactNode } from 'react'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import type { Entry } from './merge-audit.ts'
import { ACTIONS, WORDS } from './words.ts'

const { audit: words } = WORDS

/** What the reader sees for the action of an entry. */
export function actionName({ action }: Entry): string {
  return ACTIONS[action] ?? action
}

/** Who made a change: the e-mail address, or what kind of key was used. */
export function actorName({ actor: { kind, name } }: Entry): string {
  if (kind === 'token') return `${words.actors.token} ${name}`
  if (kind !== 'person') return words.actors[kind]
  return name === '' ? words.nobody : name
}

const TONES: Readonly<Record<Entry['outcome'], BadgeTone>> = {
  done: 'good',
  refused: 'warn',
  failed: 'bad',
  denied: 'bad',
  started: 'neutral',
}

export function Outcome({ outcome }: { outcome: Entry['outcome'] }): ReactNode {
  return <Badge tone={TONES[outcome]} text={words.outcomes[outcome]} />
}

/** What a change is about, without the workspace, which is the same in all rows. */
export function targetOf({ target }: Entry): readonly (readonly [name: string, value: string])[] {
  return Object.entries(target).filter(([name]) => name !== 'workspace_id')
}
