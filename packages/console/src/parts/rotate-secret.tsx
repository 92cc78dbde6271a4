import { RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { OnwardError } from '../api/request.ts'
import { WORDS } from '../text/words.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice } from '../ui/field.tsx'
import { Stack } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { ChangeError } from './change-error.tsx'
import type { SecretForm } from './secret-forms.ts'
import { SecretOnce } from './secret-once.tsx'

type Overlap = keyof typeof WORDS.rotate.overlaps
/** A secret that was just made, and until when the previous one is valid. */
type Rotated = { readonly secret: string; readonly until: string }

type RotateProps = {
  /** The text of the button and the title of the dialog: `Rotate secret`. */
  title: string
  /** What the secret is for and what the reader should know before. */
  about: ReactNode
  /** Title over the new secret. */
  label: string
  why: string | undefined
  running: boolean
  error: OnwardError | undefined
  /** Makes the new secret; undefined if that was refused. */
  rotate(keepPreviousHours: number): Promise<Rotated | undefined>
  forms?(secret: string): readonly SecretForm[]
}

/** A button that replaces a secret. It asks how long the previous one stays valid, and shows the new one once. */
export function RotateSecret({ title, about, label, why, running, error, rotate, forms }: RotateProps): ReactNode {
  const [open, setOpen] = useState(false)
  const [overlap, setOverlap] = useState<Overlap>('24')
  const [made, setMade] = useState<Rotated | undefined>(undefined)
  const run = async () => {
    const rotated = await rotate(Number(overlap))
    if (rotated === undefined) return
    setMade(rotated)
    setOpen(false)
  }
  const footer = (
    <>
      <Button onClick={() => setOpen(false)}>{WORDS.common.cancel}</Button>
      <Button tone="accent" busy={running} onClick={() => void run()}>
        {WORDS.rotate.button}
      </Button>
    </>
  )
  return (
    <>
      <Button icon={<RefreshCw />} why={why} onClick={() => setOpen(true)}>
        {title}
      </Button>
      <Dialog open={open} title={title} onClose={() => setOpen(false)} footer={footer}>
        <Stack gap={4}>
          <p>{about}</p>
          <Stack gap={2}>
            <p>{WORDS.rotate.previous}</p>
            <Choice<Overlap>
              label={WORDS.rotate.previous}
              value={overlap}
              choices={(Object.entries(WORDS.rotate.overlaps) as [Overlap, string][]).map(([value, text]) => ({ value, label: text }))}
              onChange={setOverlap}
            />
            <p role="status">{overlap === '0' ? WORDS.rotate.atOnce : WORDS.rotate.overlap}</p>
          </Stack>
          <ChangeError error={error} />
        </Stack>
      </Dialog>
      {made !== undefined && (
        <SecretOnce
          label={label}
          load={() => Promise.resolve(made.secret)}
          onClose={() => setMade(undefined)}
          {...(forms === undefined ? {} : { forms })}
        >
          <p>
            {overlap === '0' ? (
              WORDS.rotate.ended
            ) : (
              <>
                {WORDS.rotate.until} <Time at={made.until} as="exact" />.
              </>
            )}
          </p>
        </SecretOnce>
      )}
    </>
  )
}
