import { Icon } from "../icons/Icon";
import "./problem.css";

/** What went wrong. It stays on the page while it is empty, so that what comes is announced. */
export function Problem({ id, message }: { id?: string; message: string }) {
  return (
    <div id={id} role="alert" className="problem">
      {message && (
        <p>
          <Icon name="warning" />
          <span>{message}</span>
        </p>
      )}
    </div>
  );
}
