/** Routes to the pages of the catalogue that the user may see. */
import { Route, Routes } from 'react-router';
import { useMay } from '../session.tsx';
import { NotFound } from '../shell/error-pages.tsx';
import { Categories } from './categories.tsx';
import { Import } from './import/page.tsx';
import { OneChange } from './prices/change.tsx';
import { Prices } from './prices/page.tsx';
import { CreateProduct, EditProduct } from './product/edit.tsx';
import { OneProduct } from './product/page.tsx';
import { Products } from './products.tsx';

export default function Catalogue() {
  const may = useMay('catalogue');
  return (
    <Routes>
      <Route index element={<Products />} />
      <Route path="products/new" element={may ? <CreateProduct /> : <NotFound />} />
      <Route path="products/:id" element={<OneProduct />} />
      <Route path="products/:id/edit" element={may ? <EditProduct /> : <NotFound />} />
      <Route path="categories" element={<Categories />} />
      <Route path="prices" element={may ? <Prices /> : <NotFound />} />
      <Route path="prices/:id" element={<OneChange />} />
      <Route path="import" element={may ? <Import /> : <NotFound />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
