"""Differences between a real player and the model, with the fields of Harness/platforms."""

import difflib

from segue_tools.measuring.account import runs

START = (0.1, 0.3)
STALLED = (0.1, 1.0)


def is_near(predicted, measured, bounds):
    if predicted is None or measured is None:
        return predicted is measured
    share, least = bounds
    return abs(predicted - measured) <= max(least, share * measured)


class Comparison:
    """A run compared with its prediction."""

    def __init__(self, real, model):
        self.real, self.model = real, model
        last = min(chosen[-1][1] if chosen else -1 for chosen in (real.variants, model.variants))
        self.variants = runs(real.variants, last), runs(model.variants, last)
        labels = [[request["label"] for request in account.requests] for account in (real, model)]
        blocks = difflib.SequenceMatcher(None, labels[0], labels[1], autojunk=False).get_matching_blocks()
        self.same_requests = sum(block.size for block in blocks)
        self.most_requests = max(map(len, labels))
        pairs = zip(*labels)
        self.first_other = next(((number, *pair) for number, pair in enumerate(pairs, 1) if pair[0] != pair[1]), None)

    @property
    def start_is_near(self):
        return is_near(self.model.start, self.real.start, START)

    @property
    def stalled_is_near(self):
        return is_near(self.model.stalled, self.real.stalled, STALLED)

    @property
    def variants_are_same(self):
        return self.variants[0] == self.variants[1]

    def differences(self):
        """Returns the differences, each with the fields that may explain it."""
        found = []
        if not self.start_is_near:
            found.append(self.of_start())
        if not self.stalled_is_near:
            found.append(self.of_stalls())
        if not self.variants_are_same:
            found.append(self.of_variants())
        if bool(self.real.failure) != bool(self.model.failure):
            found.append(f"failure: {self.real.failure or 'none'}, model {self.model.failure or 'none'} → "
                         "loading.retries, loading.patience, loading.after-retries")
        return found

    def of_start(self):
        real, model = self.real, self.model
        said = f"start {seconds(real.start)}, model {seconds(model.start)}"
        if real.start is None or model.start is None:
            return f"{said} → loading.keep-up-enough, loading.start-segments"
        before = [self.before_start(account) for account in (real, model)]
        kilobytes = [account.bytes_to_start / 1000 for account in (real, model)]
        said += f", with {kilobytes[0]:.0f} KB of segments, model {kilobytes[1]:.0f}"
        if set(before[0]) - set(before[1]):
            other = sorted(set(before[0]) - set(before[1]))
            fields = ("loading.probes" if any(label.startswith("v") for label in other)
                      and len(self.variants_in(other)) > 1
                      else "loading.start-segments, loading.prefetch, loading.renditions")
            return f"{said}; it had also requested {listed(other)} → {fields}"
        if abs(kilobytes[0] - kilobytes[1]) > 0.1 * max(kilobytes):
            return f"{said} → loading.start-segments, loading.counts, loading.keep-up-enough, loading.decoded"
        if before[0] != before[1]:
            return f"{said}; requested in another order → loading.renditions, loading.probes"
        return f"{said}, the same requests → loading.start-latency, loading.entry-requests, loading.connections"

    @staticmethod
    def variants_in(labels):
        return {label.split()[0] for label in labels if label.startswith("v")}

    @staticmethod
    def before_start(account):
        return [request["label"] for request in account.requests if request["at"] < account.start]

    def of_stalls(self):
        real, model = self.real, self.model
        said = (f"stalled {real.stalled:.1f} s in {real.stalls}, model {model.stalled:.1f} s in "
                f"{model.stalls}")
        if real.stalls and model.stalls and real.stalls * 2 < model.stalls:
            return f"{said}: it resumes with more data → playback.resumes-with, loading.start-segments"
        if real.stalls and model.stalls and model.stalls * 2 < real.stalls:
            return f"{said}: it resumes with less data → playback.resumes-with, loading.counts"
        if abs(real.most_ahead - model.most_ahead) > 5:
            return (f"{said}; {real.most_ahead:.0f} s ahead at most, model {model.most_ahead:.0f} → "
                    "loading.buffer-limit, loading.buffer-resume")
        if not self.start_is_near:
            return f"{said}: caused by the start"
        if not self.variants_are_same:
            return f"{said}: caused by the variants"
        return f"{said} → loading.renditions, loading.prefetch, playback.resumes-with"

    def of_variants(self):
        real, model = self.variants
        said = f"variants {' '.join(real) or '-'}, model {' '.join(model) or '-'}"
        if real[:1] != model[:1]:
            return f"{said} → loading.first-variant"
        if len(real) == 1:
            return f"{said}: it never switches → loading.switching, loading.estimate, loading.switch-up-margin"
        if len(real) < len(model):
            return f"{said}: it switches less often → loading.estimate, loading.switch-down-margin"
        return f"{said} → loading.estimate, loading.switch-up-margin, loading.switch-up-buffer"

    def summary(self):
        return {"startIsNear": self.start_is_near, "stalledIsNear": self.stalled_is_near,
                "variantsAreSame": self.variants_are_same, "variants": list(map(list, self.variants)),
                "sameRequests": self.same_requests, "mostRequests": self.most_requests,
                "firstOther": self.first_other, "differences": self.differences()}


def seconds(number):
    return "never" if number is None else f"{number:.2f} s"


def listed(labels):
    return ", ".join(labels[:4]) + (f" and {len(labels) - 4} more" if len(labels) > 4 else "")
