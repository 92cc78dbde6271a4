import { type ReactNode, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { rebuildUsage } from '../../api/endpoints.ts'
import { send } from '../../api/send.ts'
import { formatCount, formatNumber } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Figure, Figures, Num } from '../../ui/number.tsx'
import { Group } from '../../ui/section.tsx'
import { JobView } from './job-view.tsx'
import styles from './system.module.css'
import { useJob, type Work } from './use-job.ts'
import { TEXT } from './words.ts'

const TEXTS = TEXT.rebuild
const NOTHING = { users: 0, periods: 0, days: 0, differing: 0, corrected: 0 }
type Totals = typeof NOTHING & { readonly dryRun: boolean }

/** Compares the counts of users with their task events, and corrects them. */
export function Rebuild(): ReactNode {
  const [application, setApplication] = useState('')
  const [asking, setAsking] = useState(false)
  const job = useJob<Totals>()
  const appKey = application.trim() === '' ? undefined : application.trim()
  const busy = job.state === 'running'
  return (
    <Group title={TEXTS.title} about={TEXTS.about}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void job.start(rebuildWork(appKey, true))
        }}
      >
        <Field label={TEXTS.application} optional>
          <Input
            mono
            placeholder={TEXTS.applicationHelp}
            spellCheck={false}
            autoComplete="off"
            value={application}
            onChange={(event) => setApplication(event.target.value)}
          />
        </Field>
        <Button type="submit" busy={busy}>
          {TEXTS.compare}
        </Button>
        <Button busy={busy} onClick={() => setAsking(true)}>
          {TEXTS.correct}
        </Button>
      </form>
      <JobView
        job={job}
        label={TEXTS.title}
        progress={({ users }) => ({ text: TEXTS.progress(formatCount(users, TEXTS.user.one, TEXTS.user.other)), done: users })}
      >
        {(totals) => <Result totals={totals} complete={job.state === 'done'} />}
      </JobView>
      <Confirm
        open={asking}
        title={TEXTS.confirmTitle}
        names={TEXTS.confirmNames}
        action={TEXTS.correct}
        run={async () => {
          void job.start(rebuildWork(appKey, false))
          return true
        }}
        onClose={() => setAsking(false)}
      />
    </Group>
  )
}

/** Goes through all users, page by page. */
function rebuildWork(appKey: string | undefined, dryRun: boolean): Work<Totals> {
  return async (report, signal) => {
    let totals: Totals = { ...NOTHING, dryRun }
    let cursor: string | null = null
    report(totals)
    do {
      const body: { app_key?: string; dry_run: boolean; _cursor: string | null } = {
        ...(appKey === undefined ? {} : { app_key: appKey }),
        dry_run: dryRun,
        _cursor: cursor,
      }
      const page: typeof NOTHING & { _cursor: string | null } = await send(insights, rebuildUsage, { body, signal })
      totals = {
        dryRun,
        users: totals.users + page.users,
        periods: totals.periods + page.periods,
        days: totals.days + page.days,
        differing: totals.differing + page.differing,
        corrected: totals.corrected + page.corrected,
      }
      cursor = page._cursor
      report(totals)
    } while (cursor !== null)
  }
}

function Result({ totals, complete }: { totals: Totals; complete: boolean }): ReactNode {
  const { users, periods, days, differing, corrected, dryRun } = totals
  const count = (value: number) => formatCount(value, TEXTS.values.one, TEXTS.values.other)
  return (
    <>
      {complete && differing === 0 && <Notice tone="good">{TEXTS.fine}</Notice>}
      {differing > 0 && (
        <Notice tone={dryRun ? 'warn' : 'good'}>{dryRun ? TEXTS.wrong(count(differing)) : TEXTS.done(count(corrected))}</Notice>
      )}
      <Figures>
        <Figure name={TEXTS.users} value={formatNumber(users)} />
        <Figure name={TEXTS.periods} value={formatNumber(periods)} />
        <Figure name={TEXTS.days} value={formatNumber(days)} />
        <Figure name={TEXTS.differing} value={formatNumber(differing)} />
        <Figure name={TEXTS.corrected} value={<Num value={dryRun ? null : corrected} />} />
      </Figures>
    </>
  )
}
