/** Routes to the pages of the routes to suppliers. */
import { Route, Routes } from 'react-router';
import { useMay } from '../session.tsx';
import { NotFound } from '../shell/error-pages.tsx';
import { ImportRoutes } from './import.tsx';
import { RouteList } from './list.tsx';

export default function Routing() {
  const may = useMay('routes');
  return (
    <Routes>
      <Route index element={<RouteList />} />
      <Route path="import" element={may ? <ImportRoutes /> : <NotFound />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
