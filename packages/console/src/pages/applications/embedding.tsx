import type { Body, createEmbedSession as Create } from '@onward/contract'
import { ExternalLink } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { publicUrl } from '../../api/base.ts'
import { areaB } from '../../api/doors.ts'
import { createEmbedSession, endEmbedSessions } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { toast } from '../../api/toasts.ts'
import { ChangeError, problemOf } from '../../parts/change-error.tsx'
import { SettingsForm } from '../../parts/settings-form.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { DangerButton } from '../../ui/danger-button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Notice } from '../../ui/empty.tsx'
import { Choice, Field, Input, TextArea } from '../../ui/field.tsx'
import { openTab } from '../../ui/open-tab.ts'
import { Stack } from '../../ui/page.tsx'
import { BROWSER_CODE, serverCode } from './embed-code.ts'
import { linesOf } from './lines.ts'
import type { OwnApplication } from './read-applications.ts'
import { type KnownApplication, useSaveInInsights } from './save-settings.ts'
import styles from './settings.module.css'
import { WORDS } from './words.ts'

const { embedding: words } = WORDS

/** `known` is undefined if insights does not know the application. */
type EmbeddingProps = { application: OwnApplication; known: KnownApplication | undefined }

/** The page on which a user sees their own usage and accounts: who may show it in a frame, how it looks, its code and its sessions. */
export function Embedding({ application, known }: EmbeddingProps): ReactNode {
  const { why } = useMay('developer')
  const { app_key: appKey } = application
  return (
    <Stack gap={5}>
      <Origins application={application} known={known} />
      <Preview appKey={appKey} why={why} />
      <CodeToEmbed appKey={appKey} />
      <div className={styles.dangers}>
        <div className={styles.danger}>
          <div>
            <h3>{words.end}</h3>
            <p>{words.endHelp}</p>
          </div>
          <EndSessions appKey={appKey} why={why} />
        </div>
      </div>
    </Stack>
  )
}

type PartProps = { appKey: string; why: string | undefined }

function Origins({ application, known }: EmbeddingProps): ReactNode {
  const { why } = useMay('owner')
  const { save, running, error, fields } = useSaveInInsights(application, known)
  const draft = useDraft({ origins: (known?.embed_origins ?? []).join('\n') })
  return (
    <SettingsForm
      label={words.title}
      labels={{ origins: words.origins }}
      draft={draft}
      save={() => save({ embed_origins: linesOf(draft.values.origins) })}
      running={running}
      error={error}
      fields={['embed_origins']}
      why={why}
    >
      <Field label={words.origins} help={words.originsHelp} error={problemOf(fields, 'embed_origins')}>
        <TextArea
          mono
          spellCheck={false}
          disabled={why !== undefined}
          placeholder="https://app.example.com"
          value={draft.values.origins}
          onChange={(event) => draft.set({ origins: event.target.value })}
        />
      </Field>
    </SettingsForm>
  )
}

/** A preview shows real data of a user, so its session is as short as possible, and no page can show it in a frame. */
const PREVIEW: Pick<Body<typeof Create>, 'views' | 'parent_origins' | 'minutes'> = {
  views: ['usage', 'accounts'],
  parent_origins: [],
  minutes: 5,
}

/** Opens the page as a user sees it. The link is a secret that works once: it is only in the memory of this component. */
function Preview({ appKey, why }: PartProps): ReactNode {
  const [userId, setUserId] = useState('')
  const [blocked, setBlocked] = useState<string | undefined>(undefined)
  const create = useChange(areaB(useWorkspaceId()), createEmbedSession, { refresh: [] })
  const open = async () => {
    setBlocked(undefined)
    const input = { query: { app_key: appKey }, body: { ...PREVIEW, user_id: userId } }
    const opened = await openTab(async () => (await create.run(input))?.url)
    if (opened.blocked) setBlocked(opened.url)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (why === undefined && !create.running) void open()
  }
  return (
    <form aria-label={words.preview} className={styles.preview} onSubmit={submit}>
      <h3>{words.preview}</h3>
      <Field label={words.user} help={words.previewHelp} error={problemOf(create.fields, 'user_id')}>
        <Input
          mono
          required
          spellCheck={false}
          autoComplete="off"
          disabled={why !== undefined}
          value={userId}
          onChange={(event) => setUserId(event.target.value)}
        />
      </Field>
      <div role="status">
        {blocked !== undefined && (
          <Notice tone="warn" title={words.blocked}>
            <a href={blocked} target="_blank" rel="noreferrer" onClick={() => setBlocked(undefined)}>
              {words.openBlocked}
            </a>
          </Notice>
        )}
      </div>
      <ChangeError error={create.error} fields={['user_id']} />
      <div>
        <Button type="submit" icon={<ExternalLink />} busy={create.running} why={why}>
          {words.open}
        </Button>
      </div>
    </form>
  )
}

type Side = keyof typeof words.sides

/** What the server and the page of the application need for a frame. */
function CodeToEmbed({ appKey }: { appKey: string }): ReactNode {
  const [side, setSide] = useState<Side>('server')
  return (
    <Stack gap={3}>
      <h3>{words.code}</h3>
      <Code
        text={side === 'server' ? serverCode(publicUrl(), appKey) : BROWSER_CODE}
        {...(side === 'server' && { language: 'typescript' })}
        label={words.code}
        head={
          <Choice<Side>
            label={words.side}
            value={side}
            choices={(Object.keys(words.sides) as Side[]).map((value) => ({ value, label: words.sides[value] }))}
            onChange={setSide}
          />
        }
      />
    </Stack>
  )
}

function EndSessions({ appKey, why }: PartProps): ReactNode {
  const end = useChange(areaB(useWorkspaceId()), endEmbedSessions, { refresh: [] })
  const run = async () => {
    const response = await end.run({ query: { app_key: appKey }, body: { all: true } })
    if (response !== undefined) toast(words.ended(response.ended))
    return response !== undefined
  }
  return (
    <DangerButton
      label={words.end}
      why={why}
      title={words.end}
      names={words.endNames(appKey)}
      action={words.endAction}
      run={run}
      error={end.error?.message}
    />
  )
}
