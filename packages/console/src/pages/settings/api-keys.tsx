import { type ReactNode, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { deletePreviousKeys, getWorkspace, rotatePartnerKey } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { RotateSecret } from '../../parts/rotate-secret.tsx'
import { secretForms } from '../../parts/secret-forms.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Facts, Row } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import type { WorkspaceAnswer } from './types.ts'
import { WORDS } from './words.ts'

const { workspace: words } = WORDS

type Key = WorkspaceAnswer['keys'][number]

/** The API keys of the workspace that are valid now, and their rotation. */
export function ApiKeys({ workspace: { workspace_id: workspaceId, keys } }: { workspace: WorkspaceAnswer }): ReactNode {
  const { why } = useMay('owner')
  const rotation = useChange(insights, rotatePartnerKey, { refresh: [getWorkspace] })
  const params = { workspace_id: workspaceId }
  const previous = keys.filter((key) => key.expires_at !== null)
  const rotate = async (hours: number) => {
    const answer = await rotation.run({ params, body: { keep_previous_hours: hours } })
    return answer && { secret: answer.partner_api_key, until: answer.previous_valid_until }
  }
  const shown = keys.map(
    (key) => [key.expires_at === null ? words.current : words.previous, <ApiKey key={key.created_at} apiKey={key} />] as const,
  )
  return (
    <Group
      title={words.keys}
      about={words.keysAbout}
      actions={
        <>
          {previous.length > 0 && <EndPrevious workspaceId={workspaceId} count={previous.length} why={why} />}
          <RotateSecret
            title={words.rotate}
            about={words.rotateAbout}
            label={words.newKey}
            why={why}
            running={rotation.running}
            error={rotation.error}
            rotate={rotate}
            forms={(secret) => secretForms({ ONWARD_API_KEY: secret })}
          />
        </>
      }
    >
      <Facts facts={previous.length > 0 ? shown : [...shown, [words.previous, words.noneNow]]} />
      <p>{words.digest}</p>
    </Group>
  )
}

function ApiKey({ apiKey: { created_at: createdAt, expires_at: expiresAt } }: { apiKey: Key }): ReactNode {
  const until = expiresAt !== null && (
    <>
      {words.until} <Time at={expiresAt} as="exact" /> (<Time at={expiresAt} />)
    </>
  )
  return (
    <Row gap={3}>
      <code>pk_{'•'.repeat(12)}</code>
      <Badge tone={until === false ? 'good' : 'warn'} text={until === false ? words.valid : until} />
      <span>
        {words.madeAt} <Time at={createdAt} />
      </span>
    </Row>
  )
}

function EndPrevious({ workspaceId, count, why }: { workspaceId: string; count: number; why: string | undefined }): ReactNode {
  const [open, setOpen] = useState(false)
  const end = useChange(insights, deletePreviousKeys, { refresh: [getWorkspace], done: words.ended })
  return (
    <>
      <Button tone="bad" why={why} onClick={() => setOpen(true)}>
        {words.end}
      </Button>
      <Confirm
        open={open}
        title={words.endTitle}
        names={words.endNames(count)}
        action={words.end}
        run={async () => (await end.run({ params: { workspace_id: workspaceId } })) !== undefined}
        onClose={() => setOpen(false)}
        error={end.error?.message}
      />
    </>
  )
}
