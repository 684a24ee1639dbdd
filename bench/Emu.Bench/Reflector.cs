namespace Emu.Bench;

/// <summary>Sends every frame back as it came: what remains is the cost of the frame path itself.</summary>
public sealed class Reflector : Service
{
    /// <inheritdoc/>
    public override void Process(ref Frame frame) => frame.Reply();
}
