/** The figures of a plot, for whoever cannot see it or wants to copy them. */

import { Table } from "./Table";

interface Props {
  name: string;
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

export function DataTable({ name, header, rows }: Props) {
  return (
    <details>
      <summary>The figures as a table</summary>
      <Table name={`${name}, as a table`} header={header} rows={rows} />
    </details>
  );
}
