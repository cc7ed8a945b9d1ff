"""Media positions over time: of an output, and of a clock that a driver polls."""


class Output:
    """The audio or the frames of a player: whether they come out, and the last position that is known."""

    def __init__(self, kind):
        self.kind = kind
        self.is_active = False
        self.position, self.time = 0.0, 0.0

    def position_at(self, time, rate):
        """Returns the position at a time that is not after the last known one."""
        return max(0.0, self.position - max(0.0, self.time - time) * rate)


class ClockSampler:
    """Turns samples of a player's clock into the spans in which it ran."""

    def __init__(self):
        self.last: tuple[float, float] | None = None

    def reset(self):
        self.last = None

    def sample(self, time, position, rate):
        """Returns (begin time, begin position, end time, end position) since the last sample that advanced.

        Returns None if the clock stands still or has jumped back.
        """
        if self.last is None or position < self.last[1] - 0.001:
            self.last = (time, position)
            return None
        last_time, last_position = self.last
        if position <= last_position:
            self.last = (time, last_position)
            return None
        self.last = (time, position)
        return max(last_time, time - (position - last_position) / rate), last_position, time, position
