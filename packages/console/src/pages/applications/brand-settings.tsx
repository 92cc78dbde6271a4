import { accentsOf } from '@onward/contract/pure'
import type { CSSProperties, ReactNode } from 'react'
import { useMay } from '../../api/me.ts'
import { problemOf } from '../../parts/change-error.tsx'
import { SettingsForm } from '../../parts/settings-form.tsx'
import { cx } from '../../ui/cx.ts'
import { useDraft } from '../../ui/draft.ts'
import { Field, Input, Select, Switch } from '../../ui/field.tsx'
import { Group } from '../../ui/section.tsx'
import styles from './brand-settings.module.css'
import { LogoInput } from './logo-input.tsx'
import type { OwnApplication } from './read-applications.ts'
import { useSaveInFunctions } from './save-settings.ts'
import { WORDS } from './words.ts'

const { brand } = WORDS

/** The blue of the console, which the pages have without an accent. */
const BLUE = '#3b5bdb'

const HEX = /^#[0-9a-f]{6}$/i

const LABELS = {
  name: brand.name,
  logo: brand.logo,
  accent: brand.accent,
  theme: brand.theme,
  tokens: brand.tokens,
  limitUrl: brand.limitUrl,
}

/** How the pages look and work on which users connect accounts, with a preview. */
export function BrandSettings({ application }: { application: OwnApplication }): ReactNode {
  const { why } = useMay('developer')
  const { save, running, error, fields } = useSaveInFunctions(application)
  const { name = '', logo = '', accent = '', theme = 'reader', tokens = false, limit_url: limitUrl = '' } = application.connect_pages
  const draft = useDraft({ name, logo, accent, theme, tokens, limitUrl })
  const { values } = draft
  const disabled = why !== undefined
  const store = () => {
    const texts = { name: values.name.trim(), logo: values.logo.trim(), accent: values.accent.trim(), limit_url: values.limitUrl.trim() }
    const set = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
    return save({ connect_pages: { ...set, theme: values.theme, tokens: values.tokens } })
  }
  return (
    <Group title={brand.title} about={brand.about}>
      <div className={styles.columns}>
        <SettingsForm
          label={brand.title}
          labels={LABELS}
          draft={draft}
          save={store}
          running={running}
          error={error}
          fields={['connect_pages.name', 'connect_pages.logo', 'connect_pages.accent', 'connect_pages.limit_url']}
          why={why}
        >
          <Field label={brand.name} help={brand.nameHelp} optional error={problemOf(fields, 'connect_pages.name')}>
            <Input maxLength={200} disabled={disabled} value={values.name} onChange={(event) => draft.set({ name: event.target.value })} />
          </Field>
          <LogoInput
            value={values.logo}
            disabled={disabled}
            why={why}
            error={problemOf(fields, 'connect_pages.logo')}
            onChange={(logo) => draft.set({ logo })}
          />
          <Field
            label={brand.accent}
            help={brand.accentHelp}
            optional
            error={problemOf(fields, 'connect_pages.accent') && brand.accentWrong}
          >
            <div className={styles.colour}>
              <input
                type="color"
                aria-label={brand.pick}
                disabled={disabled}
                value={HEX.test(values.accent.trim()) ? values.accent.trim() : BLUE}
                onChange={(event) => draft.set({ accent: event.target.value })}
              />
              <Input
                spellCheck={false}
                maxLength={7}
                disabled={disabled}
                placeholder={BLUE}
                value={values.accent}
                onChange={(event) => draft.set({ accent: event.target.value })}
              />
            </div>
          </Field>
          <Field label={brand.theme}>
            <Select
              disabled={disabled}
              value={values.theme}
              onChange={({ target: { value } }) => draft.set({ theme: value === 'light' || value === 'dark' ? value : 'reader' })}
              options={Object.entries(brand.themes)}
            />
          </Field>
          <Switch
            label={brand.tokens}
            help={brand.tokensHelp}
            disabled={disabled}
            checked={values.tokens}
            onChange={(event) => draft.set({ tokens: event.target.checked })}
          />
          <Field
            label={brand.limitUrl}
            help={brand.limitUrlHelp}
            optional
            error={problemOf(fields, 'connect_pages.limit_url') && brand.limitUrlWrong}
          >
            <Input
              spellCheck={false}
              maxLength={2048}
              disabled={disabled}
              placeholder="https://app.example.com/plan"
              value={values.limitUrl}
              onChange={(event) => draft.set({ limitUrl: event.target.value })}
            />
          </Field>
        </SettingsForm>
        {/* Outside the form, whose buttons stay in view above what they cover. */}
        <figure className={styles.preview}>
          <figcaption>
            {brand.preview}
            {values.logo.trim() !== '' && !isInline(values.logo) && <p>{brand.logoElsewhere}</p>}
          </figcaption>
          {(values.theme === 'reader' ? (['light', 'dark'] as const) : [values.theme]).map((each) => (
            <Preview key={each} {...values} name={values.name.trim() || application.name} theme={each} />
          ))}
        </figure>
      </div>
    </Group>
  )
}

const isInline = (logo: string) => /^data:image\//.test(logo)

type PreviewProps = { name: string; logo: string; accent: string; theme: 'light' | 'dark' }

/**
 * The page as a user sees it, with the measures of `services/functions/src/connect/pages/style.ts`. The console loads no image from another
 * host, so the first letter of the name stands for a logo at a URL.
 */
function Preview({ name, logo, accent, theme }: PreviewProps): ReactNode {
  const color = HEX.test(accent.trim()) ? accent.trim() : BLUE
  const { accent: shown, on, soft } = accentsOf(color.slice(1))[theme]
  const style = { '--shown': shown, '--on-shown': on, '--soft-shown': soft } as CSSProperties
  return (
    <div className={cx(styles.page, styles[theme])} style={style}>
      <p className={styles.brand}>
        {isInline(logo) ? (
          <img src={logo} alt="" height="32" />
        ) : (
          <span className={styles.mark} aria-hidden="true">
            {[...name][0]?.toUpperCase()}
          </span>
        )}
        {name}
      </p>
      <div className={styles.card}>
        <span className={styles.mark} aria-hidden="true">
          S
        </span>
        <p className={styles.title}>{brand.example(name)}</p>
        <p className={styles.text}>{brand.signIn(name)}</p>
        <div className={styles.scopes}>
          <p>{brand.lets(name)}</p>
          <ul>
            {brand.scopes.map((scope) => (
              <li key={scope}>{scope}</li>
            ))}
          </ul>
        </div>
        <p className={styles.button}>{brand.button}</p>
        <p className={styles.cancel}>{brand.cancel}</p>
      </div>
    </div>
  )
}
