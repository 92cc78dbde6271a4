import type { ApprovalBackground } from '@onward/contract'
import type { ReactNode } from 'react'
import { formatNumber } from '../../text/format.ts'
import { Notice } from '../../ui/empty.tsx'
import { Facts, Stack } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { WORDS } from './words.ts'

const { panel: words } = WORDS

/** What was read from the user's app to help with the decision: what the call would change, and the names of its ids. */
export function Background({ now, ids }: ApprovalBackground): ReactNode {
  return (
    <Stack gap={5}>
      {now !== null && <Now now={now} />}
      {ids.length > 0 && (
        <Group title={words.ids} about={words.idsAbout}>
          <Facts
            facts={ids.map(({ parameter, title, ids: values, more }) => [
              title,
              <Stack key={parameter} gap={1}>
                {values.map(({ id, name }) => (
                  <span key={id}>{words.named(id, name)}</span>
                ))}
                {more > 0 && words.moreIds(formatNumber(more))}
              </Stack>,
            ])}
          />
        </Group>
      )}
    </Stack>
  )
}

function Now({ now: { function_title, fields, more, problem } }: { now: NonNullable<ApprovalBackground['now']> }): ReactNode {
  return (
    <Group title={words.now} about={words.nowAbout(function_title)}>
      {problem !== null && <Notice tone="warn">{words.unread(problem)}</Notice>}
      {problem === null && fields.length === 0 && <p>{words.nothing}</p>}
      <Facts facts={fields.map(({ name, value }) => [name, value])} />
      {more > 0 && <p>{words.moreFields(formatNumber(more))}</p>}
    </Group>
  )
}
