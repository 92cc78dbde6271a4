import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { deletePreviousSecret, listApplications, rotateSecret } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { RotateSecret } from '../../parts/rotate-secret.tsx'
import { secretForms } from '../../parts/secret-forms.ts'
import { Badge } from '../../ui/badge.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { DangerButton } from '../../ui/danger-button.tsx'
import { Facts, Row, Stack } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { Calls } from './calls-cell.tsx'
import { NextSteps } from './next-steps.tsx'
import { type OwnApplication, useCallsByHour } from './read-applications.ts'
import { WORDS } from './words.ts'

/** The App-Key and the secrets of an application. */
export function Keys({ application }: { application: OwnApplication }): ReactNode {
  const { app_key: appKey, created_at: createdAt } = application
  const calls = useCallsByHour()
  return (
    <Stack gap={6}>
      <NextSteps appKey={appKey} />
      <Group title={WORDS.keys.facts} about={WORDS.keys.factsAbout}>
        <Facts
          facts={[
            [WORDS.keys.appKey, <Id key="id" value={appKey} what={WORDS.keys.appKey} full />],
            [WORDS.keys.created, <Time key="created" at={createdAt} as="exact" />],
            [WORDS.keys.calls, <Calls key="calls" appKey={appKey} found={calls} />],
          ]}
        />
      </Group>
      <Secrets application={application} />
    </Stack>
  )
}

function Secrets({ application }: { application: OwnApplication }): ReactNode {
  const {
    app_key: appKey,
    name,
    previous_secret_valid_until: until,
    masked_secret: current,
    masked_previous_secret: previous,
  } = application
  const { why } = useMay('owner')
  const rotation = useChange(functions, rotateSecret, { refresh: [listApplications] })
  const end = useChange(functions, deletePreviousSecret, { refresh: [listApplications], done: WORDS.keys.ended })
  const params = { app_key: appKey }
  const rotate = async (hours: number) => {
    const response = await rotation.run({ params, body: { keep_previous_hours: hours } })
    return response && { secret: response.app_secret, until: response.previous_valid_until }
  }
  return (
    <Group
      title={WORDS.keys.secrets}
      about={WORDS.keys.secretsAbout}
      actions={
        <RotateSecret
          title={WORDS.keys.rotate}
          about={until === null ? WORDS.keys.rotateAbout : `${WORDS.keys.rotateAbout} ${WORDS.keys.rotateWithPrevious}`}
          label={WORDS.keys.newSecret(name)}
          why={why}
          running={rotation.running}
          error={rotation.error}
          rotate={rotate}
          forms={(secret) => secretForms({ ONWARD_APP_KEY: appKey, ONWARD_APP_SECRET: secret })}
        />
      }
    >
      <Facts
        facts={[
          [
            WORDS.keys.current,
            <Row key="current" gap={3}>
              {current && <code>{current}</code>}
              <Badge tone="good" text={WORDS.keys.valid} />
            </Row>,
          ],
          [
            WORDS.keys.previous,
            until === null ? (
              WORDS.keys.none
            ) : (
              <Row key="previous" gap={3}>
                {previous && <code>{previous}</code>}
                <Badge
                  tone="warn"
                  text={
                    <>
                      {WORDS.keys.until} <Time at={until} as="exact" /> (<Time at={until} />)
                    </>
                  }
                />
                <DangerButton
                  size="small"
                  why={why}
                  title={WORDS.keys.endTitle}
                  names={WORDS.keys.endNames(name)}
                  action={WORDS.keys.end}
                  run={async () => (await end.run({ params })) !== undefined}
                  error={end.error?.message}
                />
              </Row>
            ),
          ],
        ]}
      />
    </Group>
  )
}
