/** Routes to the list of operators or to one operator. */
import { Route, Routes } from 'react-router';
import { AllOperators } from './all.tsx';
import { OneOperator } from './one.tsx';

export default function Operators() {
  return (
    <Routes>
      <Route index element={<AllOperators />} />
      <Route path=":id/*" element={<OneOperator />} />
    </Routes>
  );
}
