import { Upload } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { OnwardError } from '../../api/request.ts'
import { formatBytes } from '../../text/format.ts'
import { Progress } from '../../ui/bar.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Field, Input, TextArea } from '../../ui/field.tsx'
import styles from './import.module.css'
import { appNameOf, isAppName, titleIn } from './import-state.ts'
import { IMPORT } from './import-words.ts'

const { document: words } = IMPORT
const MAX_CHARACTERS = 8_000_000
/** A longer document is not put into the text area, which would stop the page. */
const MAX_EDITED = 200_000

/** What to import. `file` names the chosen file; empty for a document that was pasted. */
export type Source = { readonly name: string; readonly document: string; readonly file: string; readonly baseUrl: string }

type DocumentProps = {
  source: Source
  /** Whether the name is the name of the app to replace. */
  fixedName: boolean
  busy: boolean
  error: OnwardError | undefined
  fields: Readonly<Record<string, string>>
  onChange(source: Source): void
  onNext(): void
}

/** The first step: the document and the name of the app. */
export function ImportDocument({ source, fixedName, busy, error, fields, onChange, onNext }: DocumentProps): ReactNode {
  const file = useRef<HTMLInputElement>(null)
  const [proposes, setProposes] = useState(!fixedName && source.name === '')
  const [tried, setTried] = useState(false)
  const { name, document, baseUrl } = source
  const nameProblem = tried && !isAppName(name) ? words.badName : undefined
  const tooLarge = document.length > MAX_CHARACTERS ? words.tooLarge(formatBytes(document.length)) : undefined
  const take = (text: string, from: string) =>
    onChange({ ...source, document: text, file: from, name: proposes ? appNameOf(titleIn(text)) : name })
  const details = error === undefined || Object.keys(fields).length > 0 ? [] : error.details
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!busy && isAppName(name) && document.trim() !== '' && tooLarge === undefined) onNext()
      }}
    >
      <Field label={words.text} help={words.textHelp} error={tooLarge}>
        {document.length > MAX_EDITED ? (
          <Input readOnly value={words.dropped(source.file, formatBytes(document.length))} />
        ) : (
          <TextArea
            mono
            rows={12}
            spellCheck={false}
            placeholder={words.example}
            className={styles.document}
            value={document}
            onChange={(event) => take(event.target.value, '')}
          />
        )}
      </Field>
      <div>
        <Button icon={<Upload />} onClick={() => file.current?.click()}>
          {words.file}
        </Button>
        <input
          ref={file}
          type="file"
          accept=".json,.yaml,.yml,application/json,application/yaml,text/yaml"
          className="hidden"
          tabIndex={-1}
          aria-label={words.file}
          onChange={(event) => {
            const [first] = event.target.files ?? []
            event.target.value = ''
            if (first !== undefined) void first.text().then((text) => take(text, first.name))
          }}
        />
      </div>
      <div className={styles.pair}>
        <Field label={words.name} help={words.nameHelp} error={nameProblem ?? fields.name}>
          <Input
            mono
            readOnly={fixedName}
            autoComplete="off"
            spellCheck={false}
            placeholder={words.nameExample}
            value={name}
            onChange={(event) => {
              setProposes(false)
              onChange({ ...source, name: event.target.value })
            }}
          />
        </Field>
        <Field label={words.baseUrl} help={words.baseUrlHelp} error={fields.base_url} optional>
          <Input
            mono
            type="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://api.example.com"
            value={baseUrl}
            onChange={(event) => onChange({ ...source, baseUrl: event.target.value })}
          />
        </Field>
      </div>
      {error !== undefined && (
        <Notice tone="bad" title={words.failed}>
          {details.length === 0 ? (
            <p>{error.message}</p>
          ) : (
            <ul className={styles.problems}>
              {details.map((detail) => (
                <li key={detail}>{detail}</li>
              ))}
            </ul>
          )}
        </Notice>
      )}
      {busy && <Progress done={0} label={words.reading} />}
      <div className={styles.buttons}>
        <Button type="submit" tone="accent" busy={busy} why={document.trim() === '' ? words.textHelp : undefined}>
          {words.read}
        </Button>
      </div>
    </form>
  )
}
