from segue_drivers.timeline import ClockSampler, Output


def test_position_before_the_last_known_time_follows_from_the_rate():
    output = Output("sound")
    output.position, output.time = 10.0, 100.0
    assert output.position_at(99.5, 2) == 9.0
    assert output.position_at(101, 2) == 10.0
    assert output.position_at(0, 2) == 0.0


def test_clock_that_runs_gives_a_span():
    sampler = ClockSampler()
    assert sampler.sample(1.0, 5.0, 1) is None
    assert sampler.sample(1.25, 5.25, 1) == (1.0, 5.0, 1.25, 5.25)


def test_span_begins_when_the_clock_started():
    sampler = ClockSampler()
    sampler.sample(1.0, 5.0, 2)
    assert sampler.sample(2.0, 5.0, 2) is None
    # 0.5 of media at rate 2 takes 0.25 s.
    assert sampler.sample(3.0, 5.5, 2) == (2.75, 5.0, 3.0, 5.5)


def test_span_does_not_begin_before_the_last_sample():
    sampler = ClockSampler()
    sampler.sample(1.0, 5.0, 1)
    assert sampler.sample(1.25, 6.0, 1) == (1.0, 5.0, 1.25, 6.0)


def test_clock_that_jumps_back_restarts():
    sampler = ClockSampler()
    sampler.sample(1.0, 5.0, 1)
    assert sampler.sample(1.5, 2.0, 1) is None
    assert sampler.sample(2.0, 2.5, 1) == (1.5, 2.0, 2.0, 2.5)


def test_rounding_back_is_no_jump():
    sampler = ClockSampler()
    sampler.sample(1.0, 5.0, 1)
    assert sampler.sample(1.5, 4.9995, 1) is None
    assert sampler.sample(2.0, 5.5, 1) == (1.5, 5.0, 2.0, 5.5)


def test_reset_forgets_the_last_sample():
    sampler = ClockSampler()
    sampler.sample(1.0, 5.0, 1)
    sampler.reset()
    assert sampler.sample(1.25, 5.25, 1) is None
