import { Check, ChevronRight, Circle, CircleHelp } from 'lucide-react'
import type { ReactNode } from 'react'
import { PageLink } from '../../shell/links.tsx'
import { Progress } from '../../ui/bar.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Card } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { useDismissed } from './dismissed.ts'
import styles from './setup.module.css'
import type { SetupStep } from './setup-steps.ts'
import { useSetup } from './use-setup.ts'
import { OVERVIEW_WORDS } from './words.ts'

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
