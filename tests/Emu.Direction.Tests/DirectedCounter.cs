using Emu.Protocols;

namespace Emu.Direction.Tests;

/// <summary>A service with a controller, written by hand: counts the frames of each port and reflects them.</summary>
public sealed class DirectedCounter : Service
{
    /// <summary>The key of the tests.</summary>
    public static readonly UInt128 Key = new(0x0011_2233_4455_6677, 0x8899_AABB_CCDD_EEFF);

    /// <summary>The address of direction frames.</summary>
    public static readonly MacAddress Address = new(0x0200_0000_00EE);

    /// <summary>The boot count.</summary>
    public const uint BootCount = 3;

    private readonly uint[] _frames = new uint[8];
    private ushort _mark = 0xAA55;

    public DirectedCounter() => Controller = new Controller(
        this, new State(this),
        [
            new DirectedVariable("Frames[]", 32, VariableKind.Number, 8, true),
            new DirectedVariable("Mark", 16, VariableKind.Number, 1, true),
            new DirectedVariable("A.name.of.more.than.one.part", 8, VariableKind.SignedNumber, 1, false),
        ],
        Key, Address, BootCount, hold: 2, lease: 1_000_000_000);

    public Controller Controller { get; }

    public override void Process(ref Frame frame)
    {
        if (Controller.Takes(frame))
        {
            Controller.Receive(ref frame);
            return;
        }
        _frames[frame.Ingress.Index & 7]++;
        new Ethernet(frame).EtherType = (EtherType)_mark;
        frame.Reply();
    }

    private sealed class State(DirectedCounter service) : DirectedState
    {
        public override void Read(int variable, int index, Controller controller) => controller.Show(variable switch
        {
            0 => service._frames[index],
            1 => service._mark,
            _ => unchecked((byte)-7),
        });

        public override bool Write(int variable, int index, UInt128 bits)
        {
            if (variable == 0) service._frames[index] = (uint)bits;
            else service._mark = (ushort)bits;
            return true;
        }
    }
}
