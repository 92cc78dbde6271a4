import { Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Field, TextArea } from '../../../ui/field.tsx'
import { WORDS } from '../words.ts'
import styles from './csv.module.css'

const { csv: words } = WORDS

/** Where the lines come from: a chosen or dropped file, or pasted text. */
export function Source({ why, onText }: { why: string | undefined; onText(text: string): void }): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [text, setText] = useState('')
  const take = async (file: File | undefined) => {
    if (file !== undefined && why === undefined) onText(await file.text())
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same */}
      <div
        className={cx(styles.drop, over && styles.over)}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          aria-label={words.file}
          tabIndex={-1}
          className="hidden"
          onChange={(event) => void take(event.target.files?.[0])}
        />
        <Upload aria-hidden="true" />
        <p className={styles.dropTitle}>{words.drop}</p>
        <p className={styles.help}>{why === undefined ? words.fileHelp : words.chooseFirst}</p>
        <Button tone="accent" why={why} onClick={() => input.current?.click()}>
          {words.chooseFile}
        </Button>
      </div>
      <form
        className={styles.paste}
        onSubmit={(event) => {
          event.preventDefault()
          if (why === undefined && text.trim() !== '') onText(text)
        }}
      >
        <Field label={words.paste} help={words.pasteHelp}>
          <TextArea
            mono
            rows={4}
            spellCheck={false}
            placeholder={words.example}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <div>
          <Button type="submit" why={why ?? (text.trim() === '' ? words.noText : undefined)}>
            {words.read}
          </Button>
        </div>
      </form>
    </>
  )
}
