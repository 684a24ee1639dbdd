namespace Emu.Protocols;

/// <summary>A UDP port of a host, and what has it.</summary>
/// <param name="port">The port.</param>
/// <param name="application">Its application.</param>
internal sealed class UdpSocket(ushort port, IUdpApplication application)
{
    public ushort Port { get; } = port;

    public IUdpApplication Application { get; } = application;
}
