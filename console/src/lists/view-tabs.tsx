/** Switches between the views of a list by links, and saves, renames and deletes a person's own. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { Dialog } from '../design/dialog/dialog.tsx';
import { MoreIcon } from '../design/icons.tsx';
import { MenuButton } from '../design/input/menu-button.tsx';
import { linkLine } from '../design/page/tabs.tsx';
import { useText } from '../i18n/text.ts';
import type { Views } from './use-views.ts';
import { addressOfView, isSameQuery, longestName, type SavedView } from './views.ts';

const NameDialog = ({
  title,
  text,
  first,
  onName,
  onClose,
}: {
  readonly title: string;
  readonly text?: string;
  readonly first: string;
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const [name, setName] = useState(first);
  const lacks = name.trim() === '';
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => {
        if (lacks) return;
        onClose();
        onName(name.trim());
      }}
      actions={
        <>
          <Button onClick={onClose}>{say('common.cancel')}</Button>
          <Button type="submit" variant="contained" disabled={lacks}>
            {say('common.save')}
          </Button>
        </>
      }
    >
      {text === undefined ? null : <Typography color="textSecondary">{text}</Typography>}
      <TextField
        label={say('views.name')}
        value={name}
        required
        autoFocus
        onChange={({ target }) => setName(target.value)}
        slotProps={{ htmlInput: { maxLength: longestName, dir: 'auto' } }}
      />
    </Dialog>
  );
};

type Asked = 'save' | 'rename' | 'remove';

/** The dialog that is open, if any. */
const Asking = ({
  asked,
  views,
  hidden,
  onClose,
}: {
  readonly asked: Asked;
  readonly views: Views;
  readonly hidden: readonly string[];
  readonly onClose: () => void;
}) => {
  const say = useText();
  const navigate = useNavigate();
  const { chosen } = views;
  if (asked === 'save') {
    return (
      <NameDialog
        title={say('views.save')}
        text={say('views.saveText')}
        first=""
        onName={(name) => void navigate(views.save(name, hidden))}
        onClose={onClose}
      />
    );
  }
  if (chosen === undefined) return null;
  if (asked === 'rename') {
    return (
      <NameDialog
        title={say('views.rename')}
        first={chosen.name}
        onName={(name) => views.change({ ...chosen, name })}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      open
      danger
      title={say('views.remove')}
      text={say('views.removeText', { name: chosen.name })}
      confirm={say('views.remove')}
      onConfirm={() => {
        onClose();
        views.remove(chosen);
        void navigate('?');
      }}
      onClose={onClose}
    />
  );
};

const Options = ({
  views,
  chosen,
  onAsk,
}: {
  readonly views: Views;
  readonly chosen: SavedView;
  readonly onAsk: (asked: Asked) => void;
}) => {
  const say = useText();
  const { query, isEdited, hasRoom } = views;
  return (
    <MenuButton
      label={say('views.options')}
      icon={<MoreIcon />}
      options={[
        ...(isEdited
          ? [
              {
                key: 'change',
                label: say('views.saveChanges'),
                choose: () => views.change({ ...chosen, query }),
              },
            ]
          : []),
        ...(isEdited && hasRoom
          ? [{ key: 'save', label: say('views.saveAs'), choose: () => onAsk('save') }]
          : []),
        { key: 'rename', label: say('views.rename'), choose: () => onAsk('rename') },
        { key: 'remove', label: say('views.remove'), choose: () => onAsk('remove') },
      ]}
    />
  );
};

export const ViewTabs = ({
  views,
  hidden,
}: {
  readonly views: Views;
  /** The columns that a new view hides: those of `useShownColumns`. */
  readonly hidden: readonly string[];
}) => {
  const say = useText();
  const [asked, setAsked] = useState<Asked>();
  const { builtIn, saved, chosen, isEdited, query, hasRoom } = views;
  const all = [{ key: 'all', name: say('views.all'), query: '' }, ...builtIn];
  const isCurrent = (one: { readonly query: string }): boolean =>
    chosen === undefined && isSameQuery(one.query, query);
  const isNew = chosen === undefined && !all.some(isCurrent);
  // A list of which there is one view only needs no choice.
  if (all.length + saved.length === 1 && !isNew) return null;
  return (
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', minWidth: 0 }}>
      <Box component="nav" aria-label={say('views.label')} sx={{ ...linkLine, flexGrow: 1 }}>
        {all.map((one) => (
          <Link
            key={one.key}
            to={`?${one.query}`}
            {...(isCurrent(one) ? { 'aria-current': 'page' } : {})}
          >
            {one.name}
          </Link>
        ))}
        {saved.map((one) => (
          <Link
            key={one.id}
            to={addressOfView(one)}
            {...(one === chosen ? { 'aria-current': 'page' } : {})}
          >
            <bdi>
              {one === chosen && isEdited ? say('views.edited', { name: one.name }) : one.name}
            </bdi>
          </Link>
        ))}
      </Box>
      {isNew ? (
        <Button
          sx={{ flexShrink: 0 }}
          disabled={!hasRoom}
          {...(hasRoom ? {} : { title: say('views.full') })}
          onClick={() => setAsked('save')}
        >
          {say('views.save')}
        </Button>
      ) : null}
      {chosen === undefined ? null : <Options views={views} chosen={chosen} onAsk={setAsked} />}
      {asked === undefined ? null : (
        <Asking asked={asked} views={views} hidden={hidden} onClose={() => setAsked(undefined)} />
      )}
    </Box>
  );
};
