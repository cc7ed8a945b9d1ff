internal import CSegueTime
internal import SegueBase

/// The replacements of libdispatch functions on threads in virtual time.
enum QueueHooks {
    /// Installs the hooks, once per process.
    static let install: Void = {
        var hooks = segue_time_hooks(
            async: { queue, block, isBarrier in
                guard let run = VirtualRun.current, let queue else { return }
                run.enqueue(on: run.lane(of: queue), asBarrier: isBarrier, kept(block))
            },
            after: { delay, queue, block, isBarrier in
                guard let run = VirtualRun.current, let queue else { return }
                run.enqueue(on: run.lane(of: queue), asBarrier: isBarrier, after: .nanoseconds(delay), kept(block))
            },
            sync: { queue, block, isBarrier in
                guard let run = VirtualRun.current, let queue else { return }
                // The caller waits, and keeps its Block alive.
                run.sync(on: run.lane(of: queue), asBarrier: isBarrier) { segue_time_call_block(block) }
            },
            group_async: { group, queue, block, isBarrier in
                guard let run = VirtualRun.current, let group, let queue else { return }
                let body = kept(block)
                segue_time_enter_group(group)
                run.enqueue(on: run.lane(of: queue), asBarrier: isBarrier) {
                    body()
                    segue_time_leave_group(group)
                }
            },
            group_notify: { group, queue, block, isBarrier in
                guard let run = VirtualRun.current, let group, let queue else { return }
                let body = kept(block)
                run.notify(of: group, when: { segue_time_is_group_empty(group) }) {
                    run.enqueue(on: run.lane(of: queue), asBarrier: isBarrier, body)
                }
            },
            is_on: { queue, asBarrier in
                guard let run = VirtualRun.current, let queue else { return false }
                return run.isOn(queue, asBarrier: asBarrier)
            },
            sleep: { delay in
                _ = VirtualRun.current?.wait(for: "time", until: { false }, atMost: .nanoseconds(delay))
            },
            wait: { isOver, context, delay, what in
                guard let run = VirtualRun.current, let isOver else { return false }
                let name = what.map { String(cString: $0) } ?? ""
                return run.wait(
                    for: name,
                    of: context,
                    until: { isOver(context) },
                    atMost: delay < 0 ? nil : .nanoseconds(delay)
                )
            },
            signalled: { object in
                if let run = VirtualRun.current { return run.signalled() }
                guard let object, let run = VirtualRun.underWay, run.outside.isAwaited(object)
                else { return }
                run.outside.post(CallPlace()) { [unowned run] in run.signalled() }
            },
            timer_made: { source, queue in
                guard let run = VirtualRun.current, let source, let queue else { return }
                run.sourceTimers.make(source, on: run.lane(of: queue))
            },
            timer_gone: { source in
                // A source that outlives its run disappears with it.
                if let run = VirtualRun.current, let source { run.sourceTimers.isGone(source) }
            },
            timer_set: { source, delay, interval in
                guard let run = VirtualRun.current, let source else { return false }
                let after: Duration? = delay < 0 ? nil : .nanoseconds(delay)
                return run.sourceTimers.set(source, after: after, every: .nanoseconds(interval))
            },
            timer_handler: { source, block, isCancel in
                guard let run = VirtualRun.current, let source else { return false }
                return run.sourceTimers.set(source, isCancel: isCancel, block.map { kept($0) })
            },
            timer_cancelled: { source in
                if let run = VirtualRun.current, let source { run.sourceTimers.cancel(source) }
            },
            timer_held: { object, change in
                if let run = VirtualRun.current, let object { run.sourceTimers.hold(object, Int(change)) }
            }
        )
        segue_time_set_hooks(&hooks)
    }()

    /// Returns a copy of a Block as a closure.
    private static func kept(_ block: UnsafeRawPointer?) -> () -> Void {
        guard let block else { return {} }
        let copy = KeptBlock(block)
        return { copy.call() }
    }
}
