namespace Emu.Services;

/// <summary>Whom something was sent to from an endpoint inside: who may answer there.</summary>
/// <param name="inside">Who has sent.</param>
/// <param name="remote">Whom to; its port is 0 where only its address counts.</param>
internal readonly struct Session(Endpoint inside, Endpoint remote) : ITableKey<Session>
{
    /// <summary>Address and port; the protocol is the same.</summary>
    private const int RemoteWidth = 48;

    public static int Width => Endpoint.Width + RemoteWidth;

    public UInt128 KeyBits { get; } = (UInt128)inside.Bits << RemoteWidth | remote.Bits & (1UL << RemoteWidth) - 1;

    public bool Equals(Session other) => KeyBits == other.KeyBits;

    public override bool Equals(object? obj) => obj is Session other && Equals(other);

    public override int GetHashCode() => KeyBits.GetHashCode();
}
