import { type ReactNode, useEffect, useRef, useState } from 'react'
import { functions } from '../api/doors.ts'
import { listSuspensions, putSuspension } from '../api/endpoints.ts'
import { useMay, useMe, useWorkspaceId } from '../api/me.ts'
import { type ReadOptions, useChange, useRead } from '../api/queries.ts'
import { useDialogInAddress } from '../shell/links.tsx'
import { WORDS } from '../text/words.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/empty.tsx'
import { Choice, Field, Input } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Stack } from '../ui/page.tsx'
import { Group, Section } from '../ui/section.tsx'
import { Time } from '../ui/time.tsx'
import { ChangeError } from './change-error.tsx'

const { suspension: words } = WORDS

type Target = { app_key: string; user_id?: string }
type State = keyof typeof words.states

/** Reads what is suspended of a user or an application, also by a suspension of what contains it. */
export function useSuspensions(of: Target, options: ReadOptions = {}) {
  const reading = useRead(functions, listSuspensions, { query: { workspace_id: useWorkspaceId() } }, options)
  const concerning = (reading.data?.suspensions ?? []).filter(
    ({ app_key, user_id }) => (app_key === null || app_key === of.app_key) && (user_id === null || user_id === of.user_id),
  )
  return { reading, concerning }
}

/** Stands in the head of a page of what is suspended. */
export function SuspensionBadge({ of }: { of: Target }): ReactNode {
  const { concerning } = useSuspensions(of)
  if (concerning.length === 0) return null
  const state = concerning.some((each) => each.state === 'suspended') ? 'suspended' : 'read_only'
  return <Badge soft tone="bad" text={words.states[state]} />
}

/** Says what is suspended. Suspends it, and ends that. The address can open it: `open=suspension`. */
export function Suspension({ of, name }: { of: Target; name: string }): ReactNode {
  const workspaceId = useWorkspaceId()
  const { operator } = useMe()
  const { why } = useMay('owner')
  const [open, setOpen] = useDialogInAddress('suspension')
  const part = useRef<HTMLDivElement>(null)
  const { reading, concerning } = useSuspensions(of)
  const loaded = reading.data !== undefined
  useEffect(() => {
    if (open && loaded) part.current?.scrollIntoView({ block: 'nearest' })
  }, [open, loaded])
  const change = useChange(functions, putSuspension, { done: words.done, refresh: [listSuspensions] })
  const put = async (state: State | 'active', reason?: string) => {
    const body = { workspace_id: workspaceId, ...of, state, ...(reason !== undefined && { reason }) }
    return (await change.run({ body })) !== undefined
  }
  const end = () => {
    setOpen(false)
    void put('active')
  }
  return (
    <Section title={words.title} about={words.about} reading={reading}>
      {() => {
        const own = concerning.find(({ app_key, user_id }) => app_key === of.app_key && user_id === (of.user_id ?? null))
        const refused = why ?? (own?.by_operator && !operator ? words.byOperator : undefined)
        const asks = open && own === undefined && refused === undefined
        return (
          <Stack gap={3}>
            {concerning.map((one) => (
              <Notice key={`${one.app_key} ${one.user_id}`} tone="warn" title={words.is(one.state, scopeOf(one))}>
                {one.reason} · <Time at={one.suspended_at} as="dated" />
              </Notice>
            ))}
            <div ref={part}>
              {own === undefined ? (
                <Button why={refused} onClick={() => setOpen(true)}>
                  {words.suspend}
                </Button>
              ) : (
                <Button why={refused} busy={change.running} onClick={end}>
                  {words.end}
                </Button>
              )}
            </div>
            {!asks && <ChangeError error={change.error} />}
            {asks && <Suspend name={name} put={put} change={change} onClose={() => setOpen(false)} />}
          </Stack>
        )
      }}
    </Section>
  )
}

type SuspendProps = {
  name: string
  put(state: State, reason: string): Promise<boolean>
  change: Pick<ReturnType<typeof useChange>, 'running' | 'error'>
  onClose(): void
}

function Suspend({ name, put, change, onClose }: SuspendProps): ReactNode {
  const [state, setState] = useState<State>('suspended')
  const [reason, setReason] = useState('')
  const submit = async () => {
    if (await put(state, reason.trim())) onClose()
  }
  return (
    <FormDialog title={words.dialog(name)} action={words.action} busy={change.running} submit={submit} onClose={onClose}>
      <Group title={words.state}>
        <Choice<State>
          label={words.state}
          value={state}
          onChange={setState}
          choices={(Object.keys(words.states) as State[]).map((value) => ({ value, label: words.states[value] }))}
        />
        <p>{words.effects[state]}</p>
      </Group>
      <Field label={words.reason} help={words.reasonHelp}>
        <Input required maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
      <ChangeError error={change.error} />
    </FormDialog>
  )
}

/** Returns what a suspension concerns. */
export function scopeOf({ app_key, user_id }: { app_key: string | null; user_id: string | null }): keyof typeof words.scopes {
  if (app_key === null) return 'workspace'
  return user_id === null ? 'application' : 'user'
}
