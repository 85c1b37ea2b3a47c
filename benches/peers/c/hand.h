// hand-written right-hand sides: out = [accelerations, multipliers].  SC(x,&s,&c) is sincos.
#pragma once
#include <math.h>
#ifdef FASTSC
#include "sincos.h"
#define SC sincos_fast
#elif defined(SEPSC)
#define SC(x,sp,cp) (*(sp)=sin(x),*(cp)=cos(x))
#else
#define SC sincos
#endif
#define GG 9.81
template<class I,class O> static inline __attribute__((always_inline)) void h_double_pendulum(I s,O o){
  double s1,c1,s2,c2;SC(s[0],&s1,&c1);SC(s[1],&s2,&c2);
  double c=c1*c2+s1*s2,d=s1*c2-c1*s2,f1=-d*s[3]*s[3]-2*GG*s1,f2=d*s[2]*s[2]-GG*s2,i=1/(2-c*c);
  o[0]=(f1-c*f2)*i;o[1]=(2*f2-c*f1)*i;
}
template<class I,class O> static inline __attribute__((always_inline)) void h_penny(I s,O o){
  double sp,cp;SC(s[3],&sp,&cp);double k=0.01*s[6]*s[7];
  o[0]=-k*sp;o[1]=k*cp;o[2]=0;o[3]=0;o[4]=0.0025*o[0];o[5]=0.0025*o[1];
}
template<class I,class O> static inline __attribute__((always_inline)) void h_particle(I s,O o){
  double sx,cx,sy,cy;SC(s[0],&sx,&cx);SC(2*s[1],&sy,&cy);
  double fx=.3*cx*cy,fy=-.6*sx*sy,fxx=-.3*sx*cy,fxy=-.6*cx*sy,fyy=-1.2*sx*cy,u=s[2],v=s[3];
  double k=(GG+fxx*u*u+2*fxy*u*v+fyy*v*v)/(1+fx*fx+fy*fy);
  o[0]=-fx*k;o[1]=-fy*k;
}
template<class I,class O> static inline __attribute__((always_inline)) void h_ball(I s,O o){
  const double m=0.0459,R=0.02135,mu=0.02,h=0.05,mk2=m*0.4*R*R;
  double sx,cx,sy,cy,sp,cp,st,ct;SC(s[0],&sx,&cx);SC(s[1],&sy,&cy);SC(s[3],&sp,&cp);SC(s[4],&st,&ct);
  double xd=s[6],yd=s[7],zd=s[8],pd=s[9],td=s[10],fd=s[11];
  double fx=h*cx*sy,fy=h*sx*cy,fxx=-h*sx*sy,fxy=h*cx*cy,N=1+fx*fx+fy*fy,q=R/sqrt(N);
  double wx=fd*st*sp+td*cp,wy=fd*cp*st-td*sp,wz=fd*ct+pd;
  double gx=mu*(xd-q*(wy+wz*fy)),gy=mu*(yd+q*(wx+wz*fx)),gz=mu*(zd+q*(wx*fy-wy*fx));
  double tx=-q*(gy+gz*fy),ty=q*(gx+gz*fx),tz=-q*(gy*fx-gx*fy);
  double i=1/mk2,a=tz*i+fd*td*st,b=(tx*cp-ty*sp)*i-fd*pd*st,c=(st*(tx*sp+ty*cp)+ct*tz)*i+td*pd*st;
  double ph=(c-a*ct)/(st*st);
  double kap=fxx*(xd*xd+yd*yd)+2*fxy*xd*yd,l=(m*kap+gz+m*GG-fx*gx-fy*gy)/N,im=1/m;
  o[0]=(-gx-l*fx)*im;o[1]=(-gy-l*fy)*im;o[2]=(-gz+l)*im-GG;o[3]=a-ph*ct;o[4]=b;o[5]=ph;o[6]=l;
}
// n-link, dense: M_ij = (n-max(i,j)) cos(qi-qj), LDL^T
#define NLINK_DENSE(NAME,n) template<class I,class O> static inline __attribute__((always_inline)) void NAME(I s,O o){\
  double S[n],C[n],L[n][n],D[n],y[n];\
  for(int i=0;i<n;i++)SC(s[i],&S[i],&C[i]);\
  for(int i=0;i<n;i++){double f=-GG*(n-i)*S[i];for(int j=0;j<n;j++){int k=n-(i>j?i:j);f-=k*(S[i]*C[j]-C[i]*S[j])*s[n+j]*s[n+j];}y[i]=f;}\
  for(int j=0;j<n;j++)for(int i=j;i<n;i++)L[i][j]=(n-i)*(C[i]*C[j]+S[i]*S[j]);\
  for(int j=0;j<n;j++){D[j]=1/L[j][j];for(int i=j+1;i<n;i++){double l=L[i][j]*D[j];for(int k=i;k<n;k++)L[k][i]-=l*L[k][j];}\
    for(int i=j+1;i<n;i++)y[i]-=L[i][j]*D[j]*y[j];}\
  for(int i=n-1;i>=0;i--){double x=y[i];for(int k=i+1;k<n;k++)x-=L[k][i]*o[k];o[i]=x*D[i];}}
NLINK_DENSE(h_nlink6,6)
NLINK_DENSE(h_nlink12,12)
// n-link, O(n): tridiagonal system for the rod tensions
#define NLINK_TRI(NAME,n) template<class I,class O> static inline __attribute__((always_inline)) void NAME(I s,O o){\
  double S[n],C[n],c[n],d[n],T[n],g[n];\
  for(int i=0;i<n;i++)SC(s[i],&S[i],&C[i]);\
  for(int i=0;i<n-1;i++){c[i]=C[i]*C[i+1]+S[i]*S[i+1];d[i]=S[i+1]*C[i]-C[i+1]*S[i];}\
  double b=1;T[0]=s[n+0]*s[n+0]+GG*C[0];g[0]=1;\
  for(int i=1;i<n;i++){double l=c[i-1]*g[i-1];b=2-l*c[i-1];g[i]=1/b;T[i]=s[n+i]*s[n+i]+l*T[i-1];}\
  T[n-1]*=g[n-1];for(int i=n-2;i>=0;i--)T[i]=(T[i]+c[i]*T[i+1])*g[i];\
  o[0]=T[1]*d[0]-GG*S[0];for(int i=1;i<n-1;i++)o[i]=T[i+1]*d[i]-T[i-1]*d[i-1];o[n-1]=-T[n-2]*d[n-2];}
NLINK_TRI(h_tri6,6)
NLINK_TRI(h_tri12,12)
