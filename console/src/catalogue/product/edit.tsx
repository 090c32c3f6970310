/** Creates a product or changes one: typed, validated by the gateway, and saved once. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { ApiError } from '../../api/client.ts';
import { useAct, useRead } from '../../api/hooks.ts';
import { newKey } from '../../api/key.ts';
import { Form } from '../../design/input/form.tsx';
import { Page } from '../../design/page/page.tsx';
import { ErrorState } from '../../design/states/error-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { useDone } from '../../parts/done.ts';
import { useProductName } from '../names.ts';
import { catalogueReads } from '../sell.tsx';
import { type Draft, draftOf, type FieldName, readDraft, type Typed } from './draft.ts';
import { ProductFields } from './form.tsx';
import type { Whole } from './page.tsx';

type Save = {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly save: (typed: Pick<Typed, 'id' | 'fields'>, key: string, name: string) => void;
};

/** What the gateway says about a field. */
const refusalOf = (error: unknown, name: string): string | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  const api = name === 'categories' ? ['categories', 'category_ids'] : [name];
  return api.flatMap((one) => error.fields[one] ?? error.fields[`fields.${one}`] ?? [])[0];
};

const useTyped = (product: Whole | undefined, error: unknown) => {
  const say = useText();
  const format = useFormat();
  const [before] = useState(() => draftOf(product, format));
  const [draft, setDraft] = useState(before);
  const [isTried, setTried] = useState(false);
  // What is sent again unchanged has the same key.
  const [key, setKey] = useState(newKey);
  const typed = readDraft(draft, before);
  const isMissing = (name: FieldName): boolean => isTried && typed.missing.has(name);
  return {
    draft,
    key,
    typed,
    tried: () => setTried(true),
    set: (some: Partial<Draft>) => {
      setDraft({ ...draft, ...some });
      setKey(newKey());
    },
    wrong: (name: FieldName | 'categories'): string | undefined => {
      if (name !== 'categories' && isMissing(name)) return say('common.required');
      if (name !== 'categories' && isTried && typed.notNumbers.has(name)) {
        return say('common.notNumber');
      }
      return refusalOf(error, name);
    },
  };
};

const ProductForm = ({
  product,
  saving: { error, isPending, save },
  onReload,
  back,
}: {
  readonly product: Whole | undefined;
  readonly saving: Save;
  readonly onReload?: () => void;
  /** Where to go without saving. */
  readonly back: string;
}) => {
  const say = useText();
  const { draft, key, typed, tried, set, wrong } = useTyped(product, error);
  const isNew = product === undefined;
  const isOutdated = error instanceof ApiError && error.code === 'PRODUCT_CHANGED';
  return (
    <Form
      wide
      label={say(isNew ? 'catalogueProduct.createTitle' : 'catalogueProduct.edit')}
      onSubmit={() => {
        tried();
        const isWrong = typed.missing.size + typed.notNumbers.size > 0;
        if (!isPending && !isWrong && typed.isChanged) save(typed, key, draft.name);
      }}
    >
      <ProductFields isNew={isNew} draft={draft} wrong={wrong} set={set} />
      <ErrorState error={error} />
      {isOutdated && onReload !== undefined ? (
        <Box>
          <Button variant="outlined" onClick={onReload}>
            {say('catalogueProduct.reload')}
          </Button>
        </Box>
      ) : null}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <Button type="submit" variant="contained" loading={isPending} disabled={!typed.isChanged}>
          {say(isNew ? 'catalogueProduct.create' : 'catalogueProduct.save')}
        </Button>
        <Button component={Link} to={back}>
          {say('common.cancel')}
        </Button>
        <Typography variant="body2" color="textSecondary">
          {say(typed.isChanged ? 'catalogueProduct.liveText' : 'catalogueProduct.unchanged')}
        </Typography>
      </Box>
    </Form>
  );
};

const useSaved = () => {
  const done = useDone();
  const navigate = useNavigate();
  return (
    text: 'catalogueProduct.saved' | 'catalogueProduct.created',
    name: string,
    id: number,
  ) => {
    done(text, { name });
    void navigate(`/catalogue/products/${id}`);
  };
};

export const CreateProduct = () => {
  const say = useText();
  const saved = useSaved();
  const { mutate, error, isPending } = useAct('createProduct', { changes: catalogueReads });
  return (
    <Page
      title={say('catalogueProduct.createTitle')}
      crumbs={[{ label: say('pages.catalogue'), to: '/catalogue' }]}
    >
      <ProductForm
        product={undefined}
        back="/catalogue"
        saving={{
          error,
          isPending,
          save: ({ id, fields }, key, name) =>
            mutate(
              { body: { ...(id === undefined ? {} : { id }), fields, key } },
              { onSuccess: ({ id }) => saved('catalogueProduct.created', name, id) },
            ),
        }}
      />
    </Page>
  );
};

const Changing = ({
  product,
  onReload,
}: {
  readonly product: Whole;
  readonly onReload: () => void;
}) => {
  const saved = useSaved();
  const { mutate, error, isPending } = useAct('updateProduct', { changes: catalogueReads });
  const { id, revision } = product;
  return (
    <ProductForm
      product={product}
      back={`/catalogue/products/${id}`}
      onReload={onReload}
      saving={{
        error,
        isPending,
        save: ({ fields }, key, name) =>
          mutate(
            { params: { product_id: String(id) }, body: { fields, revision, key } },
            { onSuccess: () => saved('catalogueProduct.saved', name, id) },
          ),
      }}
    />
  );
};

export const EditProduct = () => {
  const say = useText();
  const nameOf = useProductName();
  const { id = '' } = useParams();
  // Read again in any case: an earlier answer may be outdated.
  const read = useRead('getProduct', { params: { product_id: id } }, { staleTime: 0 });
  // The form shows their names: without them it would grow as they arrive.
  const categories = useRead('listCategories', {});
  const operators = useRead('listOperators', {});
  const awaitsNames = categories.isPending || operators.isPending;
  // What is loaded in the background does not replace what is being edited.
  const [edited, setEdited] = useState<Whole>();
  const product = edited ?? read.data ?? undefined;
  if (edited === undefined && read.isFetchedAfterMount && product !== undefined) setEdited(product);
  const name = product === undefined ? say('catalogue.product') : nameOf(product);
  const reload = async (): Promise<void> => {
    const { data } = await read.refetch();
    if (data !== undefined && data !== null) setEdited(data);
  };
  return (
    <Page
      title={say('catalogueProduct.editTitle', { name })}
      crumbs={[
        { label: say('pages.catalogue'), to: '/catalogue' },
        { label: name, to: `/catalogue/products/${id}` },
      ]}
    >
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.error === null && (edited === undefined || awaitsNames) ? <Loading /> : null}
      {edited === undefined || awaitsNames ? null : (
        <Changing key={edited.revision} product={edited} onReload={() => void reload()} />
      )}
    </Page>
  );
};
