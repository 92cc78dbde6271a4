import { ChevronRight, CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { functions, insights } from '../../api/doors.ts'
import { getWorkspaceAttention, readAttention } from '../../api/endpoints.ts'
import { useRead } from '../../api/queries.ts'
import { PageLink } from '../../shell/links.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Card } from '../../ui/page.tsx'
import { Group, Section } from '../../ui/section.tsx'
import { Lines } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { type Item, itemsOfFunctions, itemsOfInsights } from './attention-items.ts'
import styles from './overview.module.css'
import { OVERVIEW_WORDS } from './words.ts'

const WORDS = OVERVIEW_WORDS.attention
const EVERY_MS = 60_000

/** What a person should look at. Each service reports its part, and each part loads and fails on its own. */
export function Attention({ workspaceId }: { workspaceId: string }): ReactNode {
  const ofFunctions = useRead(functions, readAttention, { query: { workspace_id: workspaceId } }, { every: EVERY_MS })
  const ofInsights = useRead(insights, getWorkspaceAttention, { params: { workspace_id: workspaceId } }, { every: EVERY_MS })
  const clear =
    ofFunctions.data !== undefined &&
    ofInsights.data !== undefined &&
    itemsOfFunctions(ofFunctions.data).length + itemsOfInsights(ofInsights.data).length === 0
  return (
    <Group title={WORDS.title} actions={<span className={styles.asOf}>{WORDS.scope}</span>}>
      <Card padded={false}>
        {clear ? (
          <Empty icon={<CircleCheck />} title={WORDS.clear} help={WORDS.clearHelp} />
        ) : (
          <div className={styles.attention}>
            <Section hideTitle title={WORDS.limits} reading={ofInsights} skeleton={<Lines count={2} />}>
              {(data) => (
                <>
                  <Items items={itemsOfInsights(data)} />
                  {data.capped && <p className={styles.capped}>{WORDS.capped}</p>}
                </>
              )}
            </Section>
            <Section hideTitle title={WORDS.accounts} reading={ofFunctions} skeleton={<Lines count={2} />}>
              {(data) => <Items items={itemsOfFunctions(data)} />}
            </Section>
          </div>
        )}
      </Card>
    </Group>
  )
}

function Items({ items }: { items: readonly Item[] }): ReactNode {
  if (items.length === 0) return null
  return (
    <ul>
      {items.map(({ text, tone, at, target }) => (
        <li key={text}>
          <PageLink {...target} className={styles.item}>
            {tone === 'bad' ? (
              <CircleAlert aria-hidden="true" className={styles.bad} />
            ) : (
              <TriangleAlert aria-hidden="true" className={styles.warn} />
            )}
            <span>
              {text}
              {at !== null && (
                <small>
                  {WORDS.since} <Time at={at} as="short" />
                </small>
              )}
            </span>
            <ChevronRight aria-hidden="true" />
          </PageLink>
        </li>
      ))}
    </ul>
  )
}
