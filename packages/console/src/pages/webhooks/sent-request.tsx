import type { ReactNode } from 'react'
import { Code } from '../../ui/code.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Group } from '../../ui/section.tsx'
import { headersOf, type OwnedDelivery } from './states.ts'
import { TEXT } from './words.ts'

const TEXTS = TEXT.delivery

/** What Onward sends: the body, which is the same for all attempts, and the headers. */
export function SentRequest({ delivery }: { delivery: OwnedDelivery }): ReactNode {
  const headers = headersOf(delivery).map(([name, value]) => `${name}: ${value}`)
  return (
    <Group title={TEXTS.request} about={TEXTS.headersHelp}>
      <JsonView value={delivery.body} label={TEXTS.body} />
      <Code text={`${headers.join('\n')}\n`} label={TEXTS.headers} wrap />
    </Group>
  )
}
