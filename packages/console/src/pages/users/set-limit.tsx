import { type ReactNode, useState } from 'react'
import { areaB, insights } from '../../api/doors.ts'
import { getUserDetail, getUserTaskHistory, previewLimits, setUserLimits } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { Notice } from '../../ui/empty.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { readLimit } from './limit-input.ts'
import { WORDS } from './words.ts'

type Props = {
  appKey: string
  userId: string
  /** Undefined for a user without a limit. */
  current: number | undefined
  /** Whether the application blocks users at their limit. */
  blocks: boolean
  onClose(): void
}

const { setLimit: words, preview } = WORDS

/** Sets the limit of one user, and says before what that does. */
export function SetLimit({ appKey, userId, current, blocks, onClose }: Props): ReactNode {
  const workspaceId = useWorkspaceId()
  const [text, setText] = useState(current === undefined ? '' : String(current))
  const [checked, setChecked] = useState(false)
  const change = useChange(areaB(workspaceId), setUserLimits, { done: words.done, refresh: [getUserDetail, getUserTaskHistory] })
  const limit = readLimit(text)
  const submit = async () => {
    setChecked(true)
    if (limit === undefined) return
    const done = await change.run({ query: { app_key: appKey }, body: [{ user_id: userId, allowed_tasks: limit }] })
    if (done !== undefined) onClose()
  }
  return (
    <FormDialog title={words.title(userId)} action={words.save} busy={change.running} submit={submit} onClose={onClose}>
      <Field label={words.field} help={words.help} error={checked && limit === undefined ? words.invalid : undefined}>
        <Input inputMode="numeric" autoComplete="off" value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <div role="status">
        {limit !== undefined &&
          (limit === current ? (
            <Notice tone="info">{preview.same}</Notice>
          ) : (
            <Preview appKey={appKey} userId={userId} blocks={blocks} limit={limit} />
          ))}
      </div>
      {change.error !== undefined && <Notice tone="bad">{change.error.message}</Notice>}
    </FormDialog>
  )
}

function Preview({ appKey, userId, blocks, limit }: { appKey: string; userId: string; blocks: boolean; limit: number }): ReactNode {
  const workspaceId = useWorkspaceId()
  const settled = useSettled(limit)
  const { data, error } = useRead(insights, previewLimits, {
    params: { workspace_id: workspaceId },
    body: { app_key: appKey, users: [{ user_id: userId, allowed_tasks: settled }] },
  })
  if (error !== undefined) return <Notice tone="warn">{`${preview.failed} ${error.message}`}</Notice>
  if (data === undefined || settled !== limit) return <Notice tone="info">{preview.checking}</Notice>
  const notices = data.notices === 0 ? preview.noNotices : preview.notices(data.notices)
  if (data.over_now === 0) return <Notice tone="info">{notices}</Notice>
  return (
    <Notice tone="warn" title={blocks ? preview.overBlocked : preview.over}>
      {notices}
    </Notice>
  )
}
