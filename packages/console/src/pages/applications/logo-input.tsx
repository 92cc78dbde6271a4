import { Trash2, Upload } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { formatBytes, formatNumber } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Row } from '../../ui/page.tsx'
import { WORDS } from './words.ts'

const { brand } = WORDS

const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml']

/** A logo is stored as a data: URL of at most this many characters. */
const MAX_LENGTH = 32_768
/** Base64 has four characters for three bytes, and a data: URL begins with its type. */
const MAX_FILE_BYTES = 24_000

type LogoInputProps = {
  value: string
  disabled: boolean
  why: string | undefined
  error: string | undefined
  onChange(value: string): void
}

/** The logo as an https URL, or as an image file that becomes a data: URL. */
export function LogoInput({ value, disabled, why, error, onChange }: LogoInputProps): ReactNode {
  const file = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const isUploaded = value.startsWith('data:image/')
  const change = (logo: string) => {
    setProblem(undefined)
    onChange(logo)
  }
  const take = async (chosen: File) => {
    if (!TYPES.includes(chosen.type)) return setProblem(brand.logoType)
    if (chosen.size > MAX_FILE_BYTES) return setProblem(brand.logoSize(formatNumber(chosen.size), formatNumber(MAX_FILE_BYTES)))
    change(await dataUrlOf(chosen))
  }
  return (
    <>
      <Field label={brand.logo} help={brand.logoHelp} optional error={problem ?? error}>
        {isUploaded ? (
          <Input readOnly disabled={disabled} value={brand.logoUploaded(formatBytes(bytesIn(value)))} />
        ) : (
          <Input
            spellCheck={false}
            maxLength={MAX_LENGTH}
            disabled={disabled}
            placeholder="https://cdn.example.com/logo.svg"
            value={value}
            onChange={(event) => change(event.target.value)}
          />
        )}
      </Field>
      <Row>
        <Button size="small" icon={<Upload />} why={why} onClick={() => file.current?.click()}>
          {brand.logoUpload}
        </Button>
        {value !== '' && (
          <Button size="small" tone="quiet" icon={<Trash2 />} why={why} onClick={() => change('')}>
            {brand.logoRemove}
          </Button>
        )}
        <input
          ref={file}
          type="file"
          accept={TYPES.join()}
          className="hidden"
          tabIndex={-1}
          aria-label={brand.logoUpload}
          onChange={(event) => {
            const [first] = event.target.files ?? []
            event.target.value = ''
            if (first !== undefined) void take(first)
          }}
        />
      </Row>
    </>
  )
}

/** Returns how many bytes a base64 data: URL holds. */
function bytesIn(dataUrl: string): number {
  const base64 = dataUrl.slice(dataUrl.indexOf(',') + 1).replace(/=+$/, '')
  return Math.floor((base64.length * 3) / 4)
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
