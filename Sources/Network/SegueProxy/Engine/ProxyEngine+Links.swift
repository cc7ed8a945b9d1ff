internal import CSegueSystem
internal import Glibc
internal import SegueBase
internal import SegueEvents
internal import SegueNetworkModel

/// The links of the proxy, and their changes.
extension ProxyEngine {
    /// Replaces the spliced connections of a link by shaped ones.
    private func shape(_ link: ProxiedLink) {
        for (_, spliced) in link.spliced.sorted(by: { $0.key < $1.key }) {
            guard let id = work.number(of: spliced.record) else { continue }
            let sockets = spliced.handOver()
            let shaped = ShapedConnection(
                spliced.record,
                on: link,
                engine: self,
                client: ProxiedSocket(sockets.client),
                server: sockets.server
            )
            shaped.adopt(down: sockets.down, up: sockets.up)
            link.shaped[shaped.connection] = shaped
            work[id] = shaped
            enqueue(id)
        }
        link.spliced = [:]
    }

    func change(_ link: ProxiedLink, _ change: (ProxiedLink) -> Void) {
        change(link)
        if !link.isTransparent { shape(link) }
        happened(.linkChanged(link: link.name, network: link.profile.name))
    }

    func link(_ name: String) -> ProxiedLink? { links.first { $0.name == name } }

    /// Removes a link: resets its connections and closes its listeners.
    func remove(_ link: ProxiedLink) {
        for route in link.routes {
            poller.unwatch(route.listener)
            close(route.listener)
            listeners[route.tag] = nil
        }
        for forwarded in link.forwarded.values { forwarded.kill(.linkRemoved) }
        for connection in link.connections { connection.kill(.linkRemoved) }
        links.removeAll { $0 === link }
        scheduled.removeAll { $0.link == link.name }
    }

    func schedule(_ change: ScheduledChange, in delay: Duration) {
        scheduled.append(change)
        timers.schedule(.change(change.number), at: Instant(nanoseconds: ssock_now()) + delay)
    }

    /// Cancels all scheduled changes.
    func unschedule() { scheduled = [] }

    /// Adds a link with bound listeners.
    func add(_ plan: LinkPlan, _ listening: [BoundRoute]) {
        let link = ProxiedLink(plan)
        _ = link.advance(to: ssock_now())
        links.append(link)
        for route in listening {
            let tag = work.newNumber() << 1
            poller.watchLevel(route.listener, tag: tag)
            let made = ProxiedLink.Route(
                listener: route.listener,
                tag: tag,
                bound: route.bound,
                upstream: route.upstream
            )
            link.routes.append(made)
            listeners[tag] = (link, made)
        }
    }
}
