using System; using KiwiSystem;
namespace Maths
{
    public class Unit
    {
        protected uint steps;
        public virtual uint compute(uint a, uint b) { return 0; }
        public uint count { get { return steps; } }
    }
    public class Gcd : Unit
    {
        public override uint compute(uint a, uint b)
        {
            steps = 0;
            while (b != 0)
            {
                while (a >= b) { a -= b; steps++; Kiwi.Pause(); }
                uint t = a; a = b; b = t;
                Kiwi.Pause();
            }
            return a;
        }
    }
    public class Root : Unit
    {
        public override uint compute(uint a, uint b)
        {
            uint r = 0;
            for (uint bit = 1u << 14; bit != 0; bit >>= 2)
            {
                if (a >= r + bit) { a -= r + bit; r = (r >> 1) + bit; } else r >>= 1;
                steps += 1;
                Kiwi.Pause();
            }
            return r;
        }
    }
    public static class Program
    {
        [Kiwi.InputWordPort("a")] static ushort a;
        [Kiwi.InputWordPort("b")] static byte b;
        [Kiwi.InputBitPort("which")] static bool which;
        [Kiwi.OutputWordPort("r")] static uint r;
        [Kiwi.OutputWordPort("n")] static uint n;
        static Gcd gcd = new Gcd();
        static Root root = new Root();
        [Kiwi.HardwareEntryPoint()]
        public static void Main()
        {
            Unit u;
            while (true)
            {
                Kiwi.Pause();
                if (which) { r = gcd.compute(a & 255u, b); n = gcd.count; }
                else { u = root; r = u.compute(a, 0); n = u.count; }
            }
        }
    }
}
