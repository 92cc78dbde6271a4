import { type ReactNode, useState } from 'react'
import { publicUrl } from '../../api/base.ts'
import { functions } from '../../api/doors.ts'
import { listCatalog, readCatalogApp } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { listingOf, SECRET_VARIABLE, type SnippetLanguage, snippetOf } from '../../parts/code-snippets.ts'
import { PageLink } from '../../shell/links.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Choice, Field, Input, Select, TextArea } from '../../ui/field.tsx'
import { Stack } from '../../ui/page.tsx'
import { Group, Section } from '../../ui/section.tsx'
import type { OwnApplication } from './read-applications.ts'
import styles from './snippets.module.css'
import { WORDS } from './words.ts'

const COLOURS = { curl: 'bash', typescript: 'typescript', python: 'python' } as const

/**
 * Programs that call a function with the App-Key of this application. The reader chooses the user, the function and its
 * arguments. The first program lists functions, so that it succeeds before anything is connected.
 */
export function Snippets({ application }: { application: OwnApplication }): ReactNode {
  const { app_key: appKey } = application
  const [chosenApp, setApp] = useState<string | undefined>(undefined)
  const [chosenFunction, setFunction] = useState<string | undefined>(undefined)
  const catalog = useRead(functions, listCatalog, { query: { workspace_id: useWorkspaceId() } })
  const apps = [...(catalog.data?.apps ?? [])]
    .filter((each) => each.functions > 0)
    .sort((a, b) => b.connected_accounts - a.connected_accounts)
  const app = apps.find(({ name }) => name === chosenApp) ?? apps[0]
  const details = useRead(
    functions,
    readCatalogApp,
    { params: { app: app?.name ?? '' }, query: { app_key: appKey } },
    { enabled: app !== undefined },
  )
  const listed = details.data?.functions ?? []
  const fn = listed.find(({ name }) => name === chosenFunction)
  return (
    <Stack gap={6}>
      <Section title={WORDS.snippets.title} about={WORDS.snippets.about} reading={catalog}>
        {() => (
          <Program
            appKey={appKey}
            app={app?.name ?? ''}
            fn={fn?.name}
            choices={
              <>
                <Field label={WORDS.snippets.app}>
                  <Select
                    value={app?.name ?? ''}
                    onChange={(event) => setApp(event.target.value)}
                    options={apps.map(({ name, title, connected_accounts: accounts }) => [
                      name,
                      accounts === 0 ? title : `${title} (${WORDS.snippets.connected(accounts)})`,
                    ])}
                  />
                </Field>
                <Field label={WORDS.snippets.fn} error={details.error?.message}>
                  <Select value={fn?.name ?? ''} onChange={(event) => setFunction(event.target.value)}>
                    <option value="">{WORDS.snippets.list}</option>
                    <optgroup label={WORDS.snippets.call}>
                      {listed.map(({ name, title }) => (
                        <option key={name} value={name}>
                          {title}
                        </option>
                      ))}
                    </optgroup>
                  </Select>
                </Field>
              </>
            }
          />
        )}
      </Section>
      <Group title={WORDS.snippets.before} about={WORDS.snippets.beforeAbout}>
        <Code text={`export ${SECRET_VARIABLE}='onw_sk_…'\n`} language="bash" label={WORDS.snippets.variable} />
      </Group>
    </Stack>
  )
}

/** Without `fn`, the program lists the functions of the app. */
type ProgramProps = { appKey: string; app: string; fn: string | undefined; choices: ReactNode }

/** The form and the code that has its values. The secret is not part of the code. */
function Program({ appKey, app, fn, choices }: ProgramProps): ReactNode {
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const [userId, setUserId] = useState('user-1')
  const [text, setText] = useState('{}')
  const args = argumentsOf(text)
  const sender = { url: publicUrl(), appKey, userId }
  const languages = Object.entries(WORDS.snippets.languages) as [SnippetLanguage, string][]
  return (
    <div className={styles.program}>
      <Stack gap={4}>
        <Field label={WORDS.snippets.user} help={WORDS.snippets.userHelp}>
          <Input mono spellCheck={false} autoComplete="off" value={userId} onChange={(event) => setUserId(event.target.value)} />
        </Field>
        {choices}
        {fn !== undefined && (
          <Field label={WORDS.snippets.args} help={WORDS.snippets.argsHelp} error={args === undefined ? WORDS.snippets.notJson : undefined}>
            <TextArea mono spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />
          </Field>
        )}
        <PageLink page="playground" search={{ app_key: appKey, user: userId, function: fn }} className={buttonClass()}>
          {WORDS.snippets.playground}
        </PageLink>
      </Stack>
      <Code
        text={fn === undefined ? listingOf(language, { ...sender, app }) : snippetOf(language, { ...sender, fn, args: args ?? {} })}
        language={COLOURS[language]}
        label={WORDS.snippets.code}
        head={
          <Choice<SnippetLanguage>
            label={WORDS.snippets.language}
            value={language}
            choices={languages.map(([value, label]) => ({ value, label }))}
            onChange={setLanguage}
          />
        }
      />
    </div>
  )
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
