import SeguePlayer

/// Plays a multivariant stream whose sound is a rendition of its own, lets go of the video while it is away, and goes on with
/// the same sound.
public final class Renditions: PatientController {
    override func willResignActive() {
        super.willResignActive()
        // Without a layer the sound goes on.
        device.setLayerAttached(false)
        player.loadsVideo = false
    }

    override func didEnterBackground() {
        // Where the platform pauses everything.
        if isUsable, wasPlaying { player.play() }
    }

    override func didBecomeActive() {
        device.setLayerAttached(true)
        player.loadsVideo = true
        super.didBecomeActive()
    }

    override func address(of title: Title, as rendition: Title.Rendition) -> String? {
        rendition == .full ? title.multivariant ?? title.full : title.sound
    }
}
