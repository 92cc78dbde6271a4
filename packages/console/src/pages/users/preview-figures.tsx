import type { previewLimits, ResponseOf } from '@onward/contract'
import type { ReactNode } from 'react'
import { Notice } from '../../ui/empty.tsx'
import { Figure, Figures, Num } from '../../ui/number.tsx'
import { Stack } from '../../ui/page.tsx'
import { WORDS } from './words.ts'

export type Preview = Omit<ResponseOf<typeof previewLimits>, 'as_of'>

const { preview: words } = WORDS

/** What a change of limits would do, in numbers. */
export function PreviewFigures({ preview }: { preview: Preview }): ReactNode {
  return (
    <Stack gap={3}>
      <Figures>
        {preview.new_users > 0 && <Figure name={words.created} value={<Num value={preview.new_users} />} />}
        <Figure name={words.changed} value={<Num value={preview.changed} />} />
        <Figure name={words.unchanged} value={<Num value={preview.unchanged} />} />
        <Figure name={words.overNow} value={<Num value={preview.over_now} />} />
        <Figure name={words.webhooks} value={<Num value={preview.notices} />} />
      </Figures>
      {preview.capped && <Notice tone="warn">{words.capped}</Notice>}
    </Stack>
  )
}
