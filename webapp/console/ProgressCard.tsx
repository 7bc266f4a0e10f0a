/** How far each stage is. */

import type { Checked, Figures } from "./records";
import { rateText } from "./rates";

export function ProgressCard({ figures: { progress, words } }: { figures: Figures }) {
  const { checked, review, screened } = progress;
  return (
    <section className="card" aria-labelledby="progress">
      <h3 id="progress">Progress</h3>
      <Bar name="Writing" done={progress.hits_submitted} of={progress.hits} unit="HITs" />
      {checked !== null && (
        <Bar name="Validation" done={checked.kept.of} of={checked.kept.of + checked.waiting} unit={words.works} />
      )}
      <Bar name="Review" done={review.reviewed} of={review.sampled} unit="sampled HITs" />
      <dl className="facts">
        <Fact name="Workers">
          {whole(progress.workers)}
          {progress.workers_revoked > 0 && `, and ${whole(progress.workers_revoked)} revoked`}
          {progress.writers_discarded > 0 && `, and ${whole(progress.writers_discarded)} discarded by votes`}
        </Fact>
        <Fact name="Attempts">
          {whole(progress.attempts)} ({whole(progress.retracted)} taken back)
        </Fact>
        <Fact name="Beat the AI">{whole(progress.fooled)}</Fact>
        {screened.begun > 0 && (
          <Fact name="Screening">
            {whole(screened.begun)} begun, {whole(screened.submitted)} submitted, {whole(screened.passed)} passed
          </Fact>
        )}
        {checked !== null && <Fact name="Validated">{keptText(checked)}</Fact>}
        <Fact name="Reviews">
          {whole(review.reviewed)} HITs judged, {whole(review.accepted)} accepted
        </Fact>
        <Fact name="Models">{progress.models.join(", ") || "none yet"}</Fact>
      </dl>
    </section>
  );
}

export function Bar({ name, done, of, unit }: { name: string; done: number; of: number; unit: string }) {
  if (of === 0) {
    return null;
  }
  const text = `${whole(done)} of ${whole(of)} ${unit}`;
  return (
    <div className="stage">
      <span>{name}</span>
      <span className="muted">{text}</span>
      <progress aria-label={`${name}: ${text}`} value={done} max={of} />
    </div>
  );
}

export function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function keptText({ works, kept_as, kept, votes, votes_saved }: Checked): string {
  const saved = votes_saved > 0 ? `, ${whole(votes_saved)} saved by stopping early` : "";
  return `${whole(kept.of)} ${works}, ${whole(kept.found)} ${kept_as}: ${rateText(kept)}; ${whole(votes)} votes${saved}`;
}

export function whole(number: number): string {
  return number.toLocaleString("en");
}
