/** A table that scrolls sideways where it does not fit, by keyboard too. */

import type { ReactNode } from "react";
import "../review/log.css";
import "./dataTable.css";

interface Props {
  name: string;
  header: readonly ReactNode[];
  rows: readonly (readonly ReactNode[])[];
  /** The column that names a row. */
  heads?: boolean;
  /** The column by which the rows are sorted, and which way. */
  sorted?: { column: number; isDown: boolean };
}

export function Table({ name, header, rows, heads = false, sorted }: Props) {
  return (
    <div className="table data-table" role="region" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((cell, at) => (
              <th key={at} scope="col" aria-sort={at === sorted?.column ? (sorted.isDown ? "descending" : "ascending") : undefined}>
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) =>
                heads && column === 0 ? (
                  <th key={column} scope="row">
                    <bdi>{cell}</bdi>
                  </th>
                ) : (
                  <td key={column}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
