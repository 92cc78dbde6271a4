import { PageLink } from '../../shell/links.tsx'
import { buttonClass } from '../../ui/button.tsx'
import type { EmptyText } from '../../ui/empty.tsx'
import { CALLS_WORDS } from './words.ts'

const { empty } = CALLS_WORDS

/** What the list says when no filter is set and the default period has no calls. Older ones may exist. */
export const NoCalls: EmptyText = {
  title: empty.title,
  help: empty.help,
  action: (
    <>
      <PageLink page="calls" search={{ period: '30d' }} className={buttonClass()}>
        {empty.month}
      </PageLink>
      <PageLink page="playground" className={buttonClass('accent')}>
        {empty.playground}
      </PageLink>
    </>
  ),
}
