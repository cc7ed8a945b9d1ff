import SeguePlayer

extension Lead {
    /// The sequences for all planted bugs, by name.
    static let all = device.merging(place) { $1 }.merging(list) { $1 }.merging(failures) { $1 }.merging(rest) { $1 }

    private static let device: [String: Lead] = [
        "wakes what is paused": Lead { world in
            try await play(10, in: world)
            world.user.press(.pause)
            try await interrupt(for: 10, in: world)
            try await after(5)
        },
        "toggles at the interruption": Lead { world in
            try await play(10, in: world)
            world.user.press(.pause)
            try await interrupt(for: 10, in: world)
            try await after(5)
        },
        "reads the rate too late": Lead { world in
            try await play(10, in: world)
            try await interrupt(for: 10, in: world)
            try await after(30)
        },
        "keeps the interruption's flag": Lead { world in
            try await play(10, in: world)
            world.device.interrupt()
            try await after(5)
            world.device.endInterruption(shouldResume: false)
            world.user.choose(1)
            try await play(30, in: world)
        },
        "takes the route for a pause": Lead { world in
            try await play(10, in: world)
            world.device.change(to: .headphones)
            try await after(30)
        },
        "ignores the reset": Lead { world in
            try await play(10, in: world)
            world.device.resetMediaServices()
            try await after(30)
        },
        // It goes home while the title loads, and pauses there.
        "leaves the task open": Lead(network: "3g") { world in
            world.user.press(.play)
            world.device.goHome()
            try await after(1)
            world.user.press(.pause)
            world.device.comeBack()
            try await after(60)
        },
    ]

    private static let place: [String: Lead] = [
        "plays after a seek": Lead { world in
            try await play(10, in: world)
            world.user.press(.pause)
            world.user.seek(to: .seconds(60))
            try await after(5)
        },
        "loses the early seek": Lead(network: "3g") { world in
            world.user.press(.play)
            try await after(0.5)
            world.user.seek(to: .seconds(60))
            try await after(30)
        },
        "lands the old seek": Lead(network: "3g") { world in
            world.user.press(.play)
            try await after(0.5)
            world.user.seek(to: .seconds(60))
            world.user.choose(1)
            try await after(30)
        },
        "saves under the new title": Lead(right: "audiobooks with their places") { world in
            try await play(60, in: world)
            world.user.choose(1)
            try await after(10)
        },
        "saves zero at load": Lead(right: "audiobooks with their places") { world in
            try await play(60, in: world)
            world.user.choose(1)
            try await after(10)
            world.user.choose(0)
            try await after(10)
        },
    ]

    private static let list: [String: Lead] = [
        "the end races with next": Lead { world in
            try await play(119, in: world)
            world.user.press(.next)
            try await after(20)
        },
        "advances twice": Lead(right: "a playlist without gaps") { world in try await play(140, in: world) },
        "stops before the last": Lead { world in try await play(300, in: world) },
        "an earlier load wins": Lead { world in
            try await play(10, in: world)
            world.user.choose(0)
            try await after(1)
            world.user.choose(1)
            try await after(20)
        },
        "the index shifts": Lead { world in try await play(140, in: world) },
    ]

    private static let failures: [String: Lead] = [
        "takes a cut for the end": Lead { world in
            world.plant(.status(404).meeting(path: "*/3.ts"))
            try await play(60, in: world)
        },
        "skips for ever": Lead { world in
            world.plant(.status(404))
            try await play(60, in: world)
        },
        "puts the failed item back": Lead { world in
            world.plant(.status(404))
            try await play(30, in: world)
            world.removePlantedFaults()
            try await play(30, in: world)
        },
        "recovers once": Lead(right: "a radio that reconnects") { world in
            for number in [2, 9] {
                world.plant(.stall(for: .seconds(25)).meeting(path: "*/\(number).ts", count: 1))
            }
            try await play(130, in: world)
        },
        "buffering overwrites the pause": Lead(network: "3g") { world in
            world.user.press(.play)
            try await after(0.5)
            world.user.press(.pause)
            try await after(20)
        },
    ]

    private static let rest: [String: Lead] = [
        "forgets the rate": Lead { world in
            try await play(10, in: world)
            world.user.set(rate: 1.5)
            try await after(5)
            world.user.press(.pause)
            try await play(10, in: world)
        },
        "cannot cancel sleep": Lead(right: "a sleep timer") { world in
            try await play(10, in: world)
            world.user.press("sleep timer")
            try await after(5)
            world.user.press("cancel sleep timer")
            try await play(90, in: world)
        },
        "observes at each play": Lead { world in
            for _ in 0..<10 {
                try await play(5, in: world)
                world.user.press(.pause)
            }
        },
    ]
}
