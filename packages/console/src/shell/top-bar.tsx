import { BookOpen, CircleUser, LogOut, Menu as MenuIcon, Search, SunMoon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { BASE_PATH } from '../api/base.ts'
import { useMe, useWorkspace, useWorkspaceId } from '../api/me.ts'
import { signOut } from '../api/send.ts'
import { toast } from '../api/toasts.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { Kbd } from '../ui/badge.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Choice } from '../ui/field.tsx'
import { PHONE, useMedia } from '../ui/media.ts'
import { Stack } from '../ui/page.tsx'
import { Popover } from '../ui/popover.tsx'
import { usePreference } from '../ui/preference.ts'
import { ApplicationFilter, useHasChoice } from './application-filter.tsx'
import { MainMenu } from './menu.tsx'
import { PAGES, type PageName } from './pages.ts'
import { PALETTE_KEY } from './shortcuts.ts'
import styles from './top-bar.module.css'
import { WorkspaceSwitcher } from './workspace-switcher.tsx'

const DOCS = `${BASE_PATH}../docs`

/** The bar above every page: where one is, what the page is about, and one's own settings. */
export function TopBar({ page, onPalette }: { page: PageName | undefined; onPalette(): void }): ReactNode {
  const hasChoice = useHasChoice()
  const hasWorkspace = useWorkspaceId() !== ''
  const filtered = hasChoice && hasWorkspace && PAGES.some(({ name, filtered: has }) => name === page && has)
  // A phone has room for one of the two.
  const inMenu = useMedia(PHONE) && filtered
  return (
    <header className={styles.bar}>
      <span className={styles.narrow}>
        <Popover
          label={SHELL_WORDS.menu.name}
          opener={(opener) => <Button {...opener} tone="quiet" icon={<MenuIcon />} aria-label={SHELL_WORDS.menu.open} />}
        >
          {(close) => (
            <Stack gap={3}>
              {inMenu && <WorkspaceSwitcher page={page} onFollow={close} />}
              <MainMenu onFollow={close} />
            </Stack>
          )}
        </Popover>
      </span>
      {!inMenu && <WorkspaceSwitcher page={page} />}
      <span className={styles.filter}>{filtered && <ApplicationFilter />}</span>
      <Button icon={<Search />} className={styles.palette} aria-haspopup="dialog" aria-keyshortcuts={PALETTE_KEY.aria} onClick={onPalette}>
        <span className={styles.paletteText}>{SHELL_WORDS.palette.open}</span>
        <span className={styles.paletteKey} aria-hidden="true">
          <Kbd>{PALETTE_KEY.shown}</Kbd>
        </span>
      </Button>
      <span className={styles.wide}>
        <Popover
          label={SHELL_WORDS.appearance}
          align="end"
          opener={(opener) => <Button {...opener} tone="quiet" icon={<SunMoon />} aria-label={SHELL_WORDS.appearance} />}
        >
          {() => <Appearance />}
        </Popover>
        <a className={buttonClass('quiet')} href={DOCS} target="_blank" rel="noreferrer" aria-label={SHELL_WORDS.help}>
          <BookOpen aria-hidden="true" />
        </a>
      </span>
      <Account />
    </header>
  )
}

function Appearance(): ReactNode {
  const [theme, setTheme] = usePreference('theme')
  const [density, setDensity] = usePreference('density')
  const [zone, setZone] = usePreference('zone')
  return (
    <Stack gap={3}>
      <Setting label={SHELL_WORDS.theme} value={theme} texts={SHELL_WORDS.themes} onChange={setTheme} />
      <Setting label={SHELL_WORDS.density} value={density} texts={SHELL_WORDS.densities} onChange={setDensity} />
      <Setting label={SHELL_WORDS.zone} value={zone} texts={SHELL_WORDS.zones} onChange={setZone} />
    </Stack>
  )
}

type SettingProps<T extends string> = { label: string; value: T; texts: Readonly<Record<T, string>>; onChange(value: T): void }

function Setting<T extends string>({ label, value, texts, onChange }: SettingProps<T>): ReactNode {
  const choices = (Object.entries(texts) as [T, string][]).map(([each, text]) => ({ value: each, label: text }))
  return (
    <div className={styles.setting}>
      <span aria-hidden="true">{label}</span>
      <Choice label={label} value={value} choices={choices} onChange={onChange} />
    </div>
  )
}

function Account(): ReactNode {
  const { person, operator } = useMe()
  const role = useWorkspace()?.role ?? (operator ? 'operator' : undefined)
  const [busy, setBusy] = useState(false)
  const phone = useMedia(PHONE)
  const leave = async () => {
    setBusy(true)
    try {
      await signOut()
      // A new document has nothing of the old session in its memory.
      location.assign(BASE_PATH)
    } catch (err) {
      setBusy(false)
      toast((err as Error).message, 'bad')
    }
  }
  return (
    <Popover
      label={SHELL_WORDS.account}
      align="end"
      opener={(opener) => <Button {...opener} tone="quiet" icon={<CircleUser />} aria-label={SHELL_WORDS.account} />}
    >
      {() => (
        <div className={styles.account}>
          <p className={styles.muted}>{SHELL_WORDS.signedInAs}</p>
          <p className={styles.person}>{person.name === '' ? person.email : person.name}</p>
          {person.name !== '' && <p className={styles.muted}>{person.email}</p>}
          {role !== undefined && <p className={styles.muted}>{SHELL_WORDS.roles[role]}</p>}
          {phone && (
            <>
              <Appearance />
              <a href={DOCS} target="_blank" rel="noreferrer">
                {SHELL_WORDS.help}
              </a>
            </>
          )}
          <Button icon={<LogOut />} busy={busy} onClick={() => void leave()}>
            {SHELL_WORDS.signOut}
          </Button>
        </div>
      )}
    </Popover>
  )
}
