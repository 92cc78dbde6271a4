import type { ReactNode } from 'react'
import { functions, insights } from '../../api/doors.ts'
import { resealSecrets } from '../../api/endpoints.ts'
import { send } from '../../api/send.ts'
import { formatCount } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Row } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { JobView } from './job-view.tsx'
import type { ServiceName } from './types.ts'
import { useJob, type Work } from './use-job.ts'
import { TEXT } from './words.ts'

const TEXTS = TEXT.reseal
const DOORS = { functions, insights } as const
const secretsOf = (count: number) => formatCount(count, TEXTS.secrets.one, TEXTS.secrets.other)

type Resealed = { readonly service: ServiceName; readonly functions: number; readonly insights: number }

/** Encrypts the keys of all secrets with the first sealing key. */
export function Reseal(): ReactNode {
  const job = useJob<Resealed>()
  return (
    <Group title={TEXTS.title} about={TEXTS.about}>
      <Row>
        <Button busy={job.state === 'running'} onClick={() => void job.start(reseal)}>
          {TEXTS.run}
        </Button>
      </Row>
      <JobView
        job={job}
        label={TEXTS.title}
        progress={({ service, functions, insights }) => ({
          text: TEXTS.progress(secretsOf(service === 'functions' ? functions : insights), TEXT.services[service].name),
          done: functions + insights,
        })}
      >
        {({ functions, insights }) => (
          <Notice tone={job.state === 'done' ? 'good' : 'info'}>
            {job.state === 'done' && functions + insights === 0 ? TEXTS.nothing : TEXTS.result(secretsOf(functions), secretsOf(insights))}
          </Notice>
        )}
      </JobView>
    </Group>
  )
}

const reseal: Work<Resealed> = async (report, signal) => {
  let done: Resealed = { service: 'functions', functions: 0, insights: 0 }
  for (const service of ['functions', 'insights'] as const) {
    done = { ...done, service }
    report(done)
    for (let complete = false; !complete; ) {
      const page = await send(DOORS[service], resealSecrets, { signal })
      done = { ...done, [service]: done[service] + page.resealed }
      complete = page.complete
      report(done)
    }
  }
}
