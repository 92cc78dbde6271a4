import { Check, ChevronRight, Circle, CircleHelp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { areaB, functions, insights } from '../../api/doors.ts'
import { getWorkspace, listApplications, listCatalog, listSubscriptions, listUsers, readCalls, readTask } from '../../api/endpoints.ts'
import { useRead } from '../../api/queries.ts'
import { PageLink } from '../../shell/links.tsx'
import { Progress } from '../../ui/bar.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Card } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import styles from './setup.module.css'
import { type SetupStep, setupSteps } from './setup-steps.ts'
import { OVERVIEW_WORDS } from './words.ts'

/** How many users are searched for their own limits. */
const USERS = 50

const DISMISSED_KEY = 'onward-setup-dismissed'

const WORDS = OVERVIEW_WORDS.setup

/** The way from a new workspace to the first webhook, until all of it is done or the reader dismisses it. Nothing is read before `start`. */
export function Setup({ workspaceId, start }: { workspaceId: string; start: boolean }): ReactNode {
  const [dismissed, dismiss] = useDismissed(workspaceId)
  const { steps, settled } = useSetup(workspaceId, start && !dismissed)
  const done = steps.filter((step) => step.done === true).length
  const next = steps.find((step) => step.done === false)
  // Workspaces that are set up must not see the steps for a moment, nor when a step cannot be checked.
  if (dismissed || !settled || next === undefined) return null
  return (
    <Group
      title={WORDS.title}
      about={WORDS.progress(done, steps.length)}
      actions={
        <Button size="small" tone="quiet" title={WORDS.dismissHelp} onClick={dismiss}>
          {WORDS.dismiss}
        </Button>
      }
    >
      <Card padded={false}>
        <Progress done={done} total={steps.length} label={WORDS.title} />
        <ol className={styles.steps}>
          {steps.map((step) => (
            <Step key={step.name} step={step} next={step === next} />
          ))}
        </ol>
      </Card>
    </Group>
  )
}

function Step({ step: { name, done, target }, next }: { step: SetupStep; next: boolean }): ReactNode {
  const { title, help, action } = WORDS.steps[name]
  const Icon = done === true ? Check : done === false ? Circle : CircleHelp
  return (
    <li className={cx(styles.step, done && styles.done, next && styles.next)}>
      <span className={styles.icon} role="img" aria-label={done === true ? WORDS.done : done === false ? WORDS.open : WORDS.unknown}>
        <Icon aria-hidden="true" />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        <p className={styles.help}>{done === undefined ? WORDS.unknown : help}</p>
        {(next || (name === 'log' && done)) && (
          <PageLink {...target} className={styles.action}>
            {action}
            <ChevronRight aria-hidden="true" />
          </PageLink>
        )}
      </div>
    </li>
  )
}

/** Returns whether the reader dismissed the steps of a workspace in this browser, and the function that does so. */
function useDismissed(workspaceId: string): readonly [boolean, () => void] {
  const [dismissed, setDismissed] = useState(() => dismissedWorkspaces().includes(workspaceId))
  const dismiss = () => {
    setDismissed(true)
    try {
      localStorage.setItem(DISMISSED_KEY, JSON.stringify([...new Set([...dismissedWorkspaces(), workspaceId])]))
    } catch {
      // A browser that forbids storage shows the steps again the next time.
    }
  }
  return [dismissed, dismiss]
}

function dismissedWorkspaces(): readonly string[] {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(DISMISSED_KEY) ?? '[]')
    return Array.isArray(known) ? known.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** Reads what is done of the setup of a workspace. `settled`: every part was read or failed. */
function useSetup(workspaceId: string, enabled: boolean): { readonly steps: readonly SetupStep[]; readonly settled: boolean } {
  const query = { workspace_id: workspaceId }
  const applications = useRead(functions, listApplications, { query }, { enabled })
  const catalog = useRead(functions, listCatalog, { query }, { enabled })
  const calls = useRead(functions, readCalls, { query: { ...query, page_size: 1 } }, { enabled })
  const workspace = useRead(insights, getWorkspace, { params: query }, { enabled })
  const subscriptions = useRead(areaB(workspaceId), listSubscriptions, {}, { enabled })
  const newest = calls.data?.calls[0]
  const appKey = newest?.app_key ?? ''
  const task = useRead(
    insights,
    readTask,
    { params: { call_id: newest?.id ?? '' }, query: { app_key: appKey } },
    { enabled: enabled && newest !== undefined },
  )
  const ofUsers = { app_key: appKey, limit_source: 'own', page_size: USERS } as const
  const users = useRead(insights, listUsers, { query: ofUsers }, { enabled: enabled && newest !== undefined })
  const noCall = calls.data !== undefined && newest === undefined
  const steps = setupSteps({
    applications: applications.data?.applications,
    accounts: catalog.data?.apps.reduce((sum, { connected_accounts }) => sum + connected_accounts, 0),
    newestCall: noCall ? null : newest,
    workspace: workspace.data,
    ownLimits: noCall ? 0 : users.data?.users.length,
    subscriptions: subscriptions.data?.subscriptions.length,
    counted: task.data?.counted,
  })
  const all = [applications, catalog, calls, workspace, subscriptions, ...(newest === undefined ? [] : [task, users])]
  return { steps, settled: all.every(({ data, error }) => data !== undefined || error !== undefined) }
}
