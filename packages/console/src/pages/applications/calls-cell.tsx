import type { ReactNode } from 'react'
import { type LastDay, NO_CALLS } from '../../parts/last-day.ts'
import { PageLink } from '../../shell/links.tsx'
import { Spark } from '../../ui/chart/spark.tsx'
import { Num } from '../../ui/number.tsx'
import { Row } from '../../ui/page.tsx'
import { WORDS } from './words.ts'

/** The calls of an application in 24 hours, with a link to them; a dash while they load. */
export function Calls({ appKey, found }: { appKey: string; found: ReadonlyMap<string, LastDay> | undefined }): ReactNode {
  if (found === undefined) return <Num value={undefined} />
  const { calls, failed, allCalls, allFailed } = found.get(appKey) ?? NO_CALLS
  return (
    <Row gap={3}>
      <Spark label={WORDS.spark(allCalls, allFailed)} values={calls} failed={failed} width={96} />
      <PageLink page="calls" search={{ app_key: appKey }} aria-label={WORDS.spark(allCalls, allFailed)}>
        <Num value={allCalls} compact />
      </PageLink>
    </Row>
  )
}
