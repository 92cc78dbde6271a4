import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { WORDS } from '../text/words.ts'
import { Button } from '../ui/button.tsx'
import { Copy } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { Checkbox } from '../ui/field.tsx'
import { Row, Stack } from '../ui/page.tsx'
import { Bone, Skeleton } from '../ui/skeleton.tsx'
import type { SecretForm } from './secret-forms.ts'
import styles from './secret-once.module.css'

type SecretOnceProps = {
  /** Title of the dialog: `App secret of Shop`. */
  label: string
  /** Makes the secret and returns it. Called once, when this is first drawn. */
  load(): Promise<string>
  /** Called when the reader has the secret, or gives it up. */
  onClose(): void
  /** Other texts with the secret in them, such as a line of an .env file. Each has a button that copies it. */
  forms?(secret: string): readonly SecretForm[]
  /** What else the reader needs, such as the App-Key or when the old secret ends. */
  children?: ReactNode
}

/**
 * Shows a secret that cannot be shown again. It is only in the state of this component: not in the query cache, the address or the storage.
 * Closing without having copied it, or having said that it is stored, asks first. A failed copy does not count.
 */
export function SecretOnce({ label, load, onClose, forms, children }: SecretOnceProps): ReactNode {
  const [secret, setSecret] = useState<string | undefined>(undefined)
  const [failed, setFailed] = useState<string | undefined>(undefined)
  const [shown, setShown] = useState(false)
  const [safe, setSafe] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const started = useRef<boolean>(false)
  useEffect(() => {
    // StrictMode runs effects twice, and the second secret would replace the first.
    if (started.current) return
    started.current = true
    load().then(setSecret, (err: unknown) => setFailed(err instanceof Error ? err.message : String(err)))
  })
  useEffect(() => {
    if (secret === undefined || safe) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [secret, safe])
  const keep = () => {
    setSafe(true)
    setLeaving(false)
  }
  const close = () => {
    if (secret === undefined ? failed !== undefined : safe) onClose()
    else if (secret !== undefined) setLeaving(true)
  }
  return (
    <Dialog
      open
      title={label}
      onClose={close}
      footer={
        leaving ? (
          <>
            <Button tone="bad" onClick={onClose}>
              {WORDS.secret.leave}
            </Button>
            <Button tone="accent" onClick={() => setLeaving(false)}>
              {WORDS.secret.stay}
            </Button>
          </>
        ) : (
          <Button tone="accent" onClick={close}>
            {WORDS.common.done}
          </Button>
        )
      }
    >
      <Stack gap={4}>
        {failed !== undefined && (
          <Notice tone="bad" title={WORDS.secret.failed}>
            {failed}
          </Notice>
        )}
        {failed === undefined && (
          <>
            <p>{WORDS.secret.once}</p>
            <div className={styles.secret}>
              {secret === undefined ? (
                <Skeleton>
                  <Bone width={260} height={18} />
                </Skeleton>
              ) : (
                <>
                  {/* The mask always has the same length, so that a picture of the page says nothing about the secret. */}
                  <code className={styles.text}>{shown ? secret : masked(secret)}</code>
                  <Row gap={1}>
                    <Button
                      tone="quiet"
                      size="small"
                      icon={shown ? <EyeOff /> : <Eye />}
                      aria-label={shown ? WORDS.secret.hide : WORDS.secret.show}
                      title={shown ? WORDS.secret.hide : WORDS.secret.show}
                      onClick={() => setShown(!shown)}
                    />
                    <Copy text={secret} what={label} label={WORDS.copy.copy} onCopied={keep} />
                  </Row>
                </>
              )}
            </div>
            {secret !== undefined && forms !== undefined && (
              <Row>
                {forms(secret).map(({ name, text }) => (
                  <Copy
                    key={name}
                    text={text}
                    what={WORDS.secret.as(name)}
                    label={WORDS.copy.copyOf(WORDS.secret.as(name))}
                    onCopied={keep}
                  />
                ))}
              </Row>
            )}
            {children}
            {leaving ? (
              <Notice tone="warn">{WORDS.secret.closing}</Notice>
            ) : (
              <Checkbox label={WORDS.secret.stored} checked={safe} onChange={(event) => setSafe(event.target.checked)} />
            )}
          </>
        )}
      </Stack>
    </Dialog>
  )
}

/** The start of a secret that says what it is, such as `sk_`, and its last four characters. */
function masked(secret: string): string {
  const prefix = /^[a-z]{2,6}_/.exec(secret)?.[0] ?? ''
  return `${prefix}${'•'.repeat(20)}${secret.length > 16 ? secret.slice(-4) : ''}`
}
